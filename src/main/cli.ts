import { keepCompiledCode } from './keep-compiled-code.ts'

// `npm run baize -- COMMAND`: the operator's commands.
keepCompiledCode()
const { runCommand } = await import('../cli/program.ts')
process.exitCode = await runCommand(process.argv)
