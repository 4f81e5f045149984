import { runService } from '../instance/run.ts'

// Runs the API only, as containers do.
await runService({ greeting: false })
