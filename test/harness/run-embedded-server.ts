import { startEmbedded } from '../../src/database/embedded/index.ts'
import { fastSettings } from './server.ts'

// node run-embedded-server.ts DIRECTORY   starts a server, prints its address, and runs until killed.
const [dataDirectory = ''] = process.argv.slice(2)
const { host, port, user, database } = await startEmbedded({ dataDirectory, settings: fastSettings })
console.log(JSON.stringify({ host, port, user, database }))
setInterval(() => {}, 60_000)
