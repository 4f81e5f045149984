import { counted } from '@baize/names'
import type { Out } from '@baize/terminal'
import type { Command } from 'commander'
import { runService } from '../instance/run.ts'
import { verifyAll } from '../verify/index.ts'
import { reparse } from '../verify/reparse.ts'
import { withSession } from './session.ts'

export function serviceCommands(program: Command, out: Out): void {
  program
    .command('serve')
    .description('Serve the API.')
    .action(() => runService({ greeting: false }))

  program
    .command('migrate')
    .description('Run pending migrations. Every command does so first.')
    .action(async () => {
      await withSession(async () => {})
      out.print({ json: { migrated: true }, text: 'The database is up to date.' })
    })

  program
    .command('verify')
    .description(
      'Recompute every derived value, the ledger and the recorded history; exit 1 on any difference.',
    )
    .option('--no-replay', 'skip the replay of recorded history, which takes longest')
    .option('--reparse', 'report differences of today’s parsers on stored files instead')
    .action(async (options: { replay: boolean; reparse?: boolean }) => {
      if (options.reparse) return printReparsed(out)
      const report = await withSession(({ world, connection }) =>
        verifyAll(world, options.replay ? connection : null, out.progress),
      )
      const lines = report.checks.map(
        ({ name, note, differences }) =>
          `${differences.length === 0 ? 'ok  ' : 'DIFF'}  ${name}${note ? `  (${note})` : ''}`,
      )
      for (const check of report.checks)
        for (const each of check.differences) lines.push(`      ${JSON.stringify(each)}`)
      out.print({ json: report, text: lines.join('\n'), failed: !report.ok })
    })
}

async function printReparsed(out: Out): Promise<void> {
  const snapshots = await withSession(async ({ world }) => Array.fromAsync(reparse(world)))
  const lines = snapshots.map(
    ({ snapshot_ref, stream, parser_version, parser_version_now, rows, only_then, only_now, refused }) =>
      `${stream} ${snapshot_ref} ` +
      `(${counted(rows, 'row')}, parser ${parser_version}, now ${parser_version_now}): ` +
      (refused ??
        (only_then + only_now === 0
          ? 'the same'
          : `${counted(only_then, 'row')} only then, ${only_now} only now`)),
  )
  out.print({ json: snapshots, text: lines.join('\n') })
}
