import { type Out, printTable } from '@baize/terminal'
import type { Command } from 'commander'
import { StaffError } from '../core/staff-error.ts'
import { listExportsForStaff, type StaffExport, showExportToStaff } from '../features/exports/index.ts'
import { withSession } from './session.ts'

const listedColumns: (keyof StaffExport)[] = [
  'id',
  'account_ref',
  'status',
  'attempts',
  'requested_at',
  'completed_at',
  'total_rows',
  'credits_used',
  'failure',
]

export function exportCommands(program: Command, out: Out): void {
  const exports = program.command('export').description('Exports that customers requested.')

  exports
    .command('list')
    .description('List exports, newest first, with their outcome.')
    .option('--account <account>', 'only this account')
    .option('--request-id <id>', 'only the request with this id')
    .action(async (filter: { account?: string; requestId?: string }) => {
      const listed = await withSession(({ world }) => listExportsForStaff(world, filter))
      out.print({ json: listed, text: printTable(listed, listedColumns) })
    })

  exports
    .command('show <id>')
    .description('Show one export: filters, times, failure.')
    .action(async (id: string) => {
      if (!/^[1-9]\d{0,14}$/.test(id))
        throw new StaffError(`ID must be the number of an export, not "${id}".`)
      const shown = await withSession(({ world }) => showExportToStaff(world, Number(id)))
      const text = printTable(Object.entries(shown).map(([member, value]) => ({ member, value })))
      out.print({ json: shown, text })
    })
}
