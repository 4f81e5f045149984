/** The account's statement in the dashboard: ledger entries, latest first, with the balance after each. */
import { type Static, Type } from 'typebox'
import { openCursor, sealCursor } from '../../core/cursor.ts'
import { Failure } from '../../core/failure.ts'
import { closed, instant, nullable, oneOf } from '../../core/schema.ts'
import type { Transaction } from '../../database/open.ts'
import { readConsistently } from '../../database/read-consistently.ts'
import { cursorCharactersMax } from '../paging.ts'
import { accountOf, defineSessionOperation } from '../session-operation.ts'
import { accountStatement } from './account-statement.ts'
import { type AccountRow, findAccount } from './account-store.ts'
import { csvAttachment } from './csv-attachment.ts'
import { dayRange, requireOrder } from './day-range.ts'
import { sumsSince } from './ledger-days-store.ts'
import { statementCsv } from './statement-csv.ts'
import { type Days, readEntriesBefore, type Sums } from './statement-store.ts'
import { usageIdOf } from './usage-position.ts'

const rowsPerPage = 25
const feed = 'st1'
const access = ['owner', 'billing'] as const
const noQuota = { description: 'null: no quota.' }

const statement = Type.Object({
  account_ref: Type.String(),
  opening_balance: nullable(Type.Integer(), noQuota),
  granted: Type.Integer({ description: 'Within the days.' }),
  charged: Type.Integer({ description: 'Within the days.' }),
  closing_balance: nullable(Type.Integer(), noQuota),
  entries: Type.Array(
    Type.Object({
      recorded_at: instant(),
      kind: oneOf(['grant', 'charge']),
      price_key: nullable(Type.String()),
      units: nullable(Type.Integer()),
      credits: Type.Integer(),
      request_id: nullable(Type.String()),
      endpoint: nullable(Type.String()),
      usage_id: nullable(Type.String(), { description: 'The usage record of the request.' }),
      note: nullable(Type.String()),
      balance: nullable(Type.Integer(), { description: 'After the entry. null: no quota.' }),
    }),
  ),
  next_cursor: nullable(Type.String()),
})

export type Statement = Static<typeof statement>

const showStatement = defineSessionOperation({
  name: 'show_statement',
  method: 'GET',
  path: '/dashboard/statement',
  access,
  summary: 'Ledger entries with the balance after each, latest first',
  query: Type.Object(
    { ...dayRange, after: Type.Optional(Type.String({ maxLength: cursorCharactersMax })) },
    closed,
  ),
  data: statement,
  failures: ['invalid_parameter', 'invalid_cursor', 'cursor_filter_mismatch'],
  async answer(context, { after, ...sent }) {
    requireOrder(sent)
    const { accountRef } = accountOf(context)
    const days = { from: sent.from ?? null, to: sent.to ?? null }
    const scope = { feed, filters: { ...sent, account: accountRef } }
    const secret = await context.world.cursorSecret()
    const position = after === undefined ? null : readPosition(openCursor(scope, after, secret))
    return readConsistently(context.world, async tx => {
      const account = await findAccount(tx, accountRef)
      if (account === undefined) throw new Failure('route_not_found')
      const { opening, closing } = await sumsOf(tx, account, days)
      const hasQuota = account.granted !== null
      const balanceOf = ({ granted, used }: Sums) => (hasQuota ? granted - used : null)
      const before = position?.before ?? null
      const wanted = { accountId: account.id, days, before, limit: rowsPerPage + 1 }
      const rows = await readEntriesBefore(tx, wanted)
      let balance = position?.balance ?? closing.granted - closing.used
      const entries = rows.slice(0, rowsPerPage).map(({ entry_id: _, recorded_at, usage, ...entry }) => {
        const after = hasQuota ? balance : null
        balance += entry.kind === 'grant' ? -entry.credits : entry.credits
        const usage_id = usage === null ? null : usageIdOf(usage)
        return { ...entry, usage_id, recorded_at: recorded_at.toISOString(), balance: after }
      })
      const last = rows.length > rowsPerPage ? rows[rowsPerPage - 1] : undefined
      return {
        account_ref: accountRef,
        opening_balance: balanceOf(opening),
        granted: closing.granted - opening.granted,
        charged: closing.used - opening.used,
        closing_balance: balanceOf(closing),
        entries,
        next_cursor:
          last === undefined ? null : sealCursor(scope, [String(last.entry_id), String(balance)], secret),
      }
    })
  },
})

/** Counted back from the balance of now, because most statements are of recent days. */
async function sumsOf(
  tx: Transaction,
  { id, granted, used }: AccountRow,
  { from, to }: Days,
): Promise<{ opening: Sums; closing: Sums }> {
  const now = { granted: granted ?? 0, used }
  return {
    opening: from === null ? { granted: 0, used: 0 } : without(now, await sumsSince(tx, id, from)),
    closing: to === null ? now : without(now, await sumsSince(tx, id, dayAfter(to))),
  }
}

const without = (all: Sums, some: Sums): Sums => ({
  granted: all.granted - some.granted,
  used: all.used - some.used,
})

function readPosition([before, balance]: readonly string[]): { before: number; balance: number } {
  const position = { before: Number(before), balance: Number(balance) }
  if (Number.isSafeInteger(position.before) && Number.isSafeInteger(position.balance)) return position
  throw new Failure('invalid_cursor', { details: { parameter: 'after' } })
}

function dayAfter(text: string): string {
  const next = new Date(`${text}T00:00:00Z`)
  next.setUTCDate(next.getUTCDate() + 1)
  return next.toISOString().slice(0, 10)
}

const downloadStatement = defineSessionOperation({
  name: 'download_statement',
  method: 'GET',
  path: '/dashboard/statement.csv',
  access,
  summary: 'The statement as CSV for a spreadsheet, oldest first',
  query: Type.Object(dayRange, closed),
  data: Type.Object({}, closed),
  failures: ['invalid_parameter'],
  async answer(context, sent) {
    requireOrder(sent)
    const { from = null, to = null } = sent
    const { accountRef } = accountOf(context)
    return csvAttachment(`statement-${context.now.toISOString().slice(0, 10)}.csv`, write =>
      accountStatement(
        context.world,
        accountRef,
        { from, to },
        statementCsv(write, { forSpreadsheet: true }),
      ),
    )
  },
})

export const statementOperations = [showStatement, downloadStatement]
