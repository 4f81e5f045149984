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

/** What an account asked for, and what it paid. */
export function accountUsageCommands(account: Command, out: Out): void {
  account
    .command('usage <account>')
    .description('What was asked for, the latest first, as the customer sees it.')
    .option('--page <n>', 'which page, from 1')
    .option('--per-page <n>', 'records a page: 10 unless told, 50 at most')
    .option('--compact', 'the latest 50, on one page')
    .action(async (ref: string, { page, perPage, compact }: UsageOptions) => {
      if (compact && (page ?? perPage) !== undefined)
        throw new StaffError('--compact has one page; leave --page and --per-page out.')
      const now = new Date()
      if (compact) {
        const records = await withSession(({ world }) => recentUsage(world, ref, now))
        return out.print({ json: { records }, text: table(records.map(inRow)) })
      }
      const asked = {
        now,
        ...(page === undefined ? {} : { page: wholeNumber('--page', page) }),
        ...(perPage === undefined ? {} : { perPage: wholeNumber('--per-page', perPage) }),
      }
      const overview = await withSession(({ world }) => usageOverview(world, ref, asked))
      const more = overview.has_more ? `\n(more on page ${overview.page + 1})` : ''
      out.print({ json: overview, text: `${table(overview.records.map(inRow))}${more}` })
    })

  account
    .command('statement <account>')
    .description('Every ledger entry with the request that caused it, and the running balance.')
    .option('--from <date>', 'the first day (YYYY-MM-DD, UTC); what came before is the opening balance')
    .option('--to <date>', 'the last day, the whole of it')
    .option('--csv', 'as CSV')
    .action(async (ref: string, _options: StatementOptions, command: Command) => {
      const { from, to, csv = false, json = false } = command.optsWithGlobals<StatementOptions>()
      if (csv && json) throw new StaffError('--csv and --json exclude each other.')
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
