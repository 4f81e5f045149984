import { keepCompiledCode } from './keep-compiled-code.ts'

// `npm start`: everything on one machine, with a greeting that a newcomer can copy from.
keepCompiledCode()
const { runUntilStopped } = await import('./run-until-stopped.ts')
await runUntilStopped({ greeting: true })
