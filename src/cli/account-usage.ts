import type { Command } from 'commander'
import { StaffError } from '../core/staff-error.ts'
import { type Days, recentUsage, type UsageRecord, usageOverview } from '../features/account/index.ts'
import { type Out, table } from './output.ts'
import { printStatement } from './print-statement.ts'
import { wholeNumber } from './read-argument.ts'
import { dayOf } from './read-time.ts'
import { withSession } from './session.ts'
import { toStdout } from './write-text.ts'

type UsageOptions = { page?: string; perPage?: string; compact?: boolean }
type StatementOptions = { from?: string; to?: string; csv?: boolean; json?: boolean }

export function accountUsageCommands(account: Command, out: Out): void {
  account
    .command('usage <account>')
    .description('Usage records, newest first, as the customer sees them.')
    .option('--page <n>', 'the page, from 1')
    .option('--per-page <n>', 'records per page, 50 at most (default 10)')
    .option('--compact', 'the latest 50, on one page')
    .action(async (ref: string, { page, perPage, compact }: UsageOptions) => {
      if (compact && (page ?? perPage) !== undefined)
        throw new StaffError('With --compact, omit --page and --per-page.')
      const now = new Date()
      if (compact) {
        const records = await withSession(({ world }) => recentUsage(world, ref, now))
        return out.print({ json: { records }, text: table(records.map(inRow)) })
      }
      const options = {
        now,
        ...(page === undefined ? {} : { page: wholeNumber('--page', page) }),
        ...(perPage === undefined ? {} : { perPage: wholeNumber('--per-page', perPage) }),
      }
      const overview = await withSession(({ world }) => usageOverview(world, ref, options))
      const more = overview.has_more ? `\n(more on page ${overview.page + 1})` : ''
      out.print({ json: overview, text: `${table(overview.records.map(inRow))}${more}` })
    })

  account
    .command('statement <account>')
    .description('Every ledger entry with the request that caused it, and the running balance.')
    .option(
      '--from <date>',
      'the first day (YYYY-MM-DD, UTC); the statement opens with the balance before it',
    )
    .option('--to <date>', 'the last day, included')
    .option('--csv', 'as CSV')
    .action(async (ref: string, _options: StatementOptions, command: Command) => {
      const { from, to, csv = false, json = false } = command.optsWithGlobals<StatementOptions>()
      if (csv && json) throw new StaffError('Use either --csv or --json.')
      const days: Days = { from: typedDay('--from', from), to: typedDay('--to', to) }
      const format = csv ? 'csv' : json ? 'json' : 'text'
      await toStdout(write =>
        withSession(({ world }) => printStatement(world, ref, { ...days, format }, write)),
      )
    })
}

function inRow({
  requested_at,
  endpoint,
  status,
  credits,
  duration_ms,
  settlement_status,
  source,
  request_params,
}: UsageRecord) {
  return { requested_at, endpoint, status, credits, duration_ms, settlement_status, source, request_params }
}

const typedDay = (option: string, text: string | undefined) =>
  text === undefined ? null : dayOf(option, text).toISOString().slice(0, 'YYYY-MM-DD'.length)
