import { runUntilStopped } from '../instance/run.ts'
import { work } from '../instance/work.ts'

// A worker runs jobs and does not serve the API.
await runUntilStopped(work)
