import { work } from '../instance/work.ts'
import { untilStopped } from './until-stopped.ts'

// The worker alone: it does the jobs, and serves nothing.
await untilStopped(work)
