import { type Out, onOneLine, printTable, toStdout, type Write } from '@baize/terminal'
import type { Command } from 'commander'
import { StaffError } from '../core/staff-error.ts'
import {
  accountStatement,
  recentUsage,
  type StatementDays,
  type StatementReader,
  statementCsv,
  type UsageRecord,
  usageOverview,
} from '../features/account/index.ts'
import { dayOf, wholeNumber } from './read-argument.ts'
import { withSession } from './session.ts'

type UsageOptions = { page?: string; perPage?: string; compact?: boolean }
type StatementOptions = { from?: string; to?: string; csv?: boolean; json?: boolean }

const usageColumns: (keyof UsageRecord)[] = [
  'requested_at',
  'endpoint',
  'status',
  'credits',
  'duration_ms',
  'settlement_status',
  'source',
  'request_params',
]

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
        return out.print({ json: { records }, text: printTable(records, usageColumns) })
      }
      const options = {
        now,
        ...(page === undefined ? {} : { page: wholeNumber('--page', page) }),
        ...(perPage === undefined ? {} : { perPage: wholeNumber('--per-page', perPage) }),
      }
      const overview = await withSession(({ world }) => usageOverview(world, ref, options))
      const more = overview.has_more ? `\n(more on page ${overview.page + 1})` : ''
      out.print({ json: overview, text: `${printTable(overview.records, usageColumns)}${more}` })
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
      const days: StatementDays = { from: typedDay('--from', from), to: typedDay('--to', to) }
      const format = csv ? 'csv' : json ? 'json' : 'text'
      await toStdout(write =>
        withSession(({ world }) => accountStatement(world, ref, days, statementReaders[format](write))),
      )
    })
}

const typedDay = (option: string, text: string | undefined) =>
  text === undefined ? null : dayOf(option, text).toISOString().slice(0, 'YYYY-MM-DD'.length)

const statementReaders = { text: asText, csv: statementCsv, json: asJson }

function asJson(write: Write): StatementReader {
  let separator = ''
  return {
    head: head => write(`${JSON.stringify(head).slice(0, -1)},"entries":[`),
    async entry(entry) {
      await write(`${separator}${JSON.stringify(entry)}`)
      separator = ','
    },
    foot: foot => write(`],${JSON.stringify(foot).slice(1)}\n`),
  }
}

const dateWidth = 24
const kindWidth = 7
const amountWidth = 12

function asText(write: Write): StatementReader {
  type Line = { moment: string; kind: string; credits?: string; balance: number | null; rest?: string }
  const line = ({ moment, kind, credits = '', balance, rest = '' }: Line) => {
    const amounts = `${credits.padStart(amountWidth)}  ${String(balance ?? '-').padStart(amountWidth)}`
    return write(
      `${`${moment.padEnd(dateWidth)}  ${kind.padEnd(kindWidth)}  ${amounts}  ${rest}`.trimEnd()}\n`,
    )
  }
  return {
    async head({ account_ref, name, plan, from, to, opening }) {
      const period = [from === null ? '' : ` from ${from}`, to === null ? '' : ` to ${to}`].join('')
      await write(`${account_ref}  ${onOneLine(name)}, plan ${plan}${period}\n`)
      const headings = [
        'recorded_at'.padEnd(dateWidth),
        'kind'.padEnd(kindWidth),
        'credits'.padStart(amountWidth),
        'balance'.padStart(amountWidth),
        'what',
      ]
      await write(`${headings.join('  ')}\n`)
      if (from !== null) await line({ moment: from, kind: 'opening', balance: opening.balance })
    },
    async entry(entry) {
      const { recorded_at, kind, credits, balance, price_key, units, endpoint, request_id, note } = entry
      const what = price_key === null ? [] : [`${units} × ${price_key}`]
      const why = [endpoint, request_id, note].filter(word => word !== null)
      const sign = kind === 'grant' ? '+' : '-'
      await line({
        moment: recorded_at.toISOString(),
        kind,
        credits: `${sign}${credits}`,
        balance,
        rest: onOneLine([...what, ...why].join('  ')),
      })
    },
    async foot({ closing: { granted, used, reserved, balance } }) {
      const reservations = reserved === null ? '' : `, ${reserved} reserved`
      const rest = `${granted} granted, ${used} used${reservations}`
      await line({ moment: '', kind: 'closing', balance, rest })
    },
  }
}
