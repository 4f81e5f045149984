import type { Command } from 'commander'
import { StaffError } from '../core/staff-error.ts'
import { listExportsForStaff, type StaffExport, showExportToStaff } from '../features/exports/index.ts'
import { type Out, table } from './output.ts'
import { withSession } from './session.ts'

export function exportCommands(program: Command, out: Out): void {
  const exports = program.command('export').description('Bulk exports that customers asked for.')

  exports
    .command('list')
    .description('Exports, the latest first, with what came of them.')
    .option('--account <account>', 'of this account only')
    .option('--request-id <id>', 'of the request that a customer names')
    .action(async (asked: { account?: string; requestId?: string }) => {
      const listed = await withSession(({ world }) => listExportsForStaff(world, asked))
      out.print({ json: listed, text: table(listed.map(inRow)) })
    })

  exports
    .command('show <id>')
    .description('One export, with its filters, its times and why it failed.')
    .action(async (id: string) => {
      if (!/^[1-9]\d{0,14}$/.test(id)) throw new StaffError(`An export has a number, not "${id}".`)
      const shown = await withSession(({ world }) => showExportToStaff(world, Number(id)))
      const text = table(Object.entries(shown).map(([member, value]) => ({ member, value })))
      out.print({ json: shown, text })
    })
}

function inRow(each: StaffExport) {
  const { id, account_ref, status, attempts, requested_at, completed_at, total_rows, credits_used, failure } =
    each
  return { id, account_ref, status, attempts, requested_at, completed_at, total_rows, credits_used, failure }
}
