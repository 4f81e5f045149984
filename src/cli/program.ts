import { Command, CommanderError } from 'commander'
import { StaffError } from '../features/account/index.ts'
import { operatorMessage } from '../instance/index.ts'
import { accountCommands } from './account.ts'
import { companyCommands } from './company.ts'
import { dataCommands } from './data.ts'
import { exportCommands } from './export.ts'
import { keyCommands } from './key.ts'
import { logoCommands } from './logo.ts'
import { openOutput } from './output.ts'
import { peopleCommands } from './people.ts'
import { platformCommands } from './platform.ts'
import { prospectListCommands } from './prospect-list.ts'
import { registerCommands } from './register.ts'
import { serviceCommands } from './service.ts'
import { workCommands } from './work.ts'

/** Runs one command line and answers the exit code: 0, 1 for any failure, 2 for a command line that is not one. */
export async function runCommand(argv: readonly string[]): Promise<number> {
  const asJson = argv.includes('--json')
  const out = openOutput(asJson)
  const program = new Command('baize')
    .description('Runs and feeds a Baize service.')
    .option('--json', 'print one JSON value instead of text')
    .exitOverride()
    .showSuggestionAfterError()
  for (const add of [
    serviceCommands,
    dataCommands,
    registerCommands,
    companyCommands,
    platformCommands,
    peopleCommands,
    logoCommands,
    accountCommands,
    keyCommands,
    prospectListCommands,
    exportCommands,
    workCommands,
  ])
    add(program, out)
  try {
    await program.parseAsync([...argv])
    return (await out.done()).failed ? 1 : 0
  } catch (error) {
    await out.done().catch(() => {})
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2
    console.error(error instanceof StaffError ? error.message : (operatorMessage(error) ?? error))
    return 1
  }
}
