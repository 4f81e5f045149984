import { runService } from '../instance/run-service.ts'

// The API, as containers run it.
await runService({ greeting: false })
