import { runService } from '../instance/run.ts'

// Serves the API and runs jobs beside it, without a greeting, as containers do.
await runService({ greeting: false })
