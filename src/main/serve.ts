import { runUntilStopped } from '../instance/run-until-stopped.ts'

// The API process alone, as containers run it.
await runUntilStopped({ greeting: false })
