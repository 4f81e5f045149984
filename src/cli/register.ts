import type { Command } from 'commander'
import { StaffError } from '../features/account/index.ts'
import { listRegisters, registerHistory, sourceFileFrom, syncRegister } from '../registers/index.ts'
import type { Stream } from '../registers/stream.ts'
import { findStream, streams } from '../registers/streams/index.ts'
import { type Out, table } from './output.ts'
import { withSession } from './session.ts'

export function registerCommands(program: Command, out: Out): void {
  const register = program.command('register').description('Registers of licenses and blocklists.')

  register
    .command('list')
    .description('Every stream that can be synced, and what is held of it.')
    .action(async () => {
      const listed = await withSession(({ world }) => listRegisters(world, streams))
      out.tell({ json: listed, text: table(listed) })
    })

  register
    .command('sync <stream>')
    .description('Read one snapshot from files and apply what changed.')
    .requiredOption(
      '--file <file>',
      'a file of the snapshot; may be repeated',
      (file: string, files: string[] = []) => [...files, file],
    )
    .option('--taken-at <time>', 'when the source was read (ISO 8601 with an offset); otherwise now')
    .action(async (key: string, { file: files, takenAt }: { file: string[]; takenAt?: string }) => {
      const stream = requireStream(key)
      const now = new Date()
      const report = await withSession(async ({ world }) =>
        syncRegister(world, stream, await Promise.all(files.map(sourceFileFrom)), {
          takenAt: takenAt === undefined ? now : timeOf(takenAt),
          now,
        }),
      )
      const lines = [
        `${report.stream}: ${report.status}${report.reasons.length > 0 ? ` (${report.reasons.join('; ')})` : ''}`,
        `${report.rows} rows, ${report.rejected} rejected; ${report.added} added, ${report.removed} removed, ${report.changed} changed`,
        ...Object.entries(report.rejected_by_reason).map(
          ([reason, count]) => `  rejected ${count}: ${reason}`,
        ),
      ]
      out.tell({ json: report, text: lines.join('\n'), failed: report.status === 'refused' })
    })

  register
    .command('history <stream>')
    .description('The snapshots and runs of a stream, newest first.')
    .action(async (key: string) => {
      const { key: stream } = requireStream(key)
      const runs = await withSession(({ world }) => registerHistory(world, stream))
      out.tell({ json: runs, text: table(runs) })
    })
}

function requireStream(key: string): Stream {
  const stream = findStream(key)
  if (stream === undefined) throw new StaffError(`There is no stream ${key}; "register list" names them all.`)
  return stream
}

function timeOf(text: string): Date {
  const moment = new Date(text)
  if (!/^\d{4}-\d{2}-\d{2}T.*(Z|[+-]\d{2}:\d{2})$/.test(text) || Number.isNaN(moment.getTime())) {
    throw new StaffError(`--taken-at takes an ISO 8601 time with an offset, not "${text}".`)
  }
  return moment
}
