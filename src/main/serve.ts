import { keepCompiledCode } from './keep-compiled-code.ts'

// The API process alone, as containers run it.
keepCompiledCode()
const { runUntilStopped } = await import('./run-until-stopped.ts')
await runUntilStopped({ greeting: false })
