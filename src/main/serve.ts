import { runService } from '../instance/run-service.ts'

// The API process alone, as containers run it.
await runService({ greeting: false })
