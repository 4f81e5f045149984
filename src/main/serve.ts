import { runUntilStopped } from '../instance/run-service.ts'

// The API process alone, as containers run it.
await runUntilStopped({ greeting: false })
