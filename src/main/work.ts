import { keepCompiledCode } from './keep-compiled-code.ts'

// The worker alone: it does the jobs, and serves nothing.
keepCompiledCode()
const { untilStopped } = await import('./until-stopped.ts')
const { work } = await import('../instance/work.ts')
await untilStopped(work)
