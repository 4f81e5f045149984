import { startEmbedded } from '@baize/embedded-postgres'
import { fastSettings } from './server.ts'

// Starts a server, prints its address, and runs until killed: `node run-embedded-server.ts DIRECTORY`.
const [dataDirectory = ''] = process.argv.slice(2)
const { host, port, user, database } = await startEmbedded({ dataDirectory, settings: fastSettings })
console.log(JSON.stringify({ host, port, user, database }))
setInterval(() => {}, 60_000)
