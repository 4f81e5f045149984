import type { Command } from 'commander'
import { runUntilStopped } from '../main/run-until-stopped.ts'
import { verifyAll } from '../verify/index.ts'
import type { Out } from './output.ts'
import { withSession } from './session.ts'

export function serviceCommands(program: Command, out: Out): void {
  program
    .command('serve')
    .description('Serve the API until a signal.')
    .action(() => runUntilStopped({ greeting: false }))

  program
    .command('migrate')
    .description('Bring the database to the state of this code; every command does so before it works.')
    .action(async () => {
      await withSession(async () => {})
      out.tell({ json: { migrated: true }, text: 'The database is up to date.' })
    })

  program
    .command('verify')
    .description('Recompute every derived value and the ledger; exit 1 on any difference.')
    .action(async () => {
      const report = await withSession(({ world }) => verifyAll(world))
      const lines = report.checks.map(
        check =>
          `${check.differences.length === 0 ? 'ok  ' : 'DIFF'}  ${check.name}${check.note ? `  (${check.note})` : ''}`,
      )
      for (const check of report.checks)
        for (const each of check.differences) lines.push(`      ${JSON.stringify(each)}`)
      out.tell({ json: report, text: lines.join('\n'), failed: !report.ok })
    })
}
