import { runCommand } from '../cli/program.ts'

// `npm run baize -- COMMAND`: the operator's commands.
process.exitCode = await runCommand(process.argv)
