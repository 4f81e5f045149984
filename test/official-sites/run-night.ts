// Does the worker's tasks of a night that begins at NOW: fetches due streams, and prints the seconds and
// the peak memory. Usage: node run-night.ts CONNECTION ENVIRONMENT NOW
import { setTimeout as pause } from 'node:timers/promises'
import { createLogger } from '../../src/config/logger.ts'
import { readSettings } from '../../src/config/settings.ts'
import { openWorld } from '../../src/database/open.ts'
import { registerTasks } from '../../src/instance/tasks/register-tasks.ts'
import { addJob, listJobs, startWorker } from '../../src/jobs/index.ts'
import { findKnownStream } from '../../src/registers/index.ts'

const [connectionText = '', environment = '', time = ''] = process.argv.slice(2)
const connection = JSON.parse(connectionText)
const start = performance.now()
const now = () => new Date(Date.parse(time) + Math.round(performance.now() - start))
const { network } = readSettings(JSON.parse(environment))
const tasks = registerTasks({ findStream: findKnownStream, network, now, spreadMsMax: 0 })
const worker = await startWorker({ connection, tasks, log: createLogger('silent') })
const world = openWorld('public', { connection })
await addJob(world.database, {
  task: 'watch_registers',
  payload: {},
  key: 'the night begins',
  attemptsMax: 1,
  delayMs: 0,
})
const isOver = async () => (await listJobs(world.database)).every(job => job.state === 'failed')
while (!(await isOver())) await pause(100)
await worker.stop()
await world.close()
const seconds = (performance.now() - start) / 1_000
console.log(JSON.stringify({ seconds, megabytes: process.resourceUsage().maxRSS / 1_024 }))
