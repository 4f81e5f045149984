import { runUntilStopped } from '../instance/run-until-stopped.ts'
import { work } from '../instance/work.ts'

// A worker: it runs jobs and does not serve the API.
await runUntilStopped(work)
