import { startEmbedded } from '../../src/database/embedded/index.ts'
import { fastSettings } from './server.ts'

// Starts a server on the directory named, says where it is, and stays until killed.
const [dataDirectory = ''] = process.argv.slice(2)
const { host, port, user, database } = await startEmbedded({ dataDirectory, settings: fastSettings })
console.log(JSON.stringify({ host, port, user, database }))
setInterval(() => {}, 60_000)
