import { runUntilStopped } from '../instance/run-until-stopped.ts'
import { work } from '../instance/work.ts'

// The worker alone: it does the jobs, and serves nothing.
await runUntilStopped(work)
