import type { Command } from 'commander'
import { runService } from '../instance/run-service.ts'
import { verifyAll } from '../verify/index.ts'
import { reparse } from '../verify/reparse.ts'
import type { Out } from './output.ts'
import { withSession } from './session.ts'

export function serviceCommands(program: Command, out: Out): void {
  program
    .command('serve')
    .description('Serve the API until a signal.')
    .action(() => runService({ greeting: false }))

  program
    .command('migrate')
    .description('Bring the database to the state of this code; every command does so before it works.')
    .action(async () => {
      await withSession(async () => {})
      out.print({ json: { migrated: true }, text: 'The database is up to date.' })
    })

  program
    .command('verify')
    .description(
      'Recompute every derived value, the ledger and the recorded history; exit 1 on any difference.',
    )
    .option(
      '--no-replay',
      'do not replay the recorded history of the registers, which takes as long as it is',
    )
    .option('--reparse', 'instead, report what today’s parsers would read differently in the kept files')
    .action(async (options: { replay: boolean; reparse?: boolean }) => {
      if (options.reparse) return tellReparsed(out)
      const report = await withSession(({ world, connection }) =>
        verifyAll(world, options.replay ? connection : null),
      )
      const lines = report.checks.map(
        check =>
          `${check.differences.length === 0 ? 'ok  ' : 'DIFF'}  ${check.name}${check.note ? `  (${check.note})` : ''}`,
      )
      for (const check of report.checks)
        for (const each of check.differences) lines.push(`      ${JSON.stringify(each)}`)
      out.print({ json: report, text: lines.join('\n'), failed: !report.ok })
    })
}

async function tellReparsed(out: Out): Promise<void> {
  const snapshots = await withSession(async ({ world }) => Array.fromAsync(reparse(world)))
  const lines = snapshots.map(
    ({ snapshot_ref, stream, parser_version, parser_version_now, rows, only_then, only_now, refused }) =>
      `${stream} ${snapshot_ref} (${rows} rows, parser ${parser_version}, now ${parser_version_now}): ` +
      (refused ?? (only_then + only_now === 0 ? 'the same' : `${only_then} only then, ${only_now} only now`)),
  )
  out.print({ json: snapshots, text: lines.join('\n') })
}
