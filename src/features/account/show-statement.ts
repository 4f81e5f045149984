/**
 * Shows the account's statement in the dashboard: ledger entries, the latest first, with the balance after
 * each.
 */

import { Type } from 'typebox'
import { openCursor, sealCursor } from '../../core/cursor.ts'
import { Failure } from '../../core/failure.ts'
import { closedObject } from '../../core/schema.ts'
import type { Transaction } from '../../database/open.ts'
import { readConsistently } from '../../database/read-consistently.ts'
import { csvAttachment } from '../csv-text.ts'
import { cursorCharactersMax } from '../paging.ts'
import { type AnswerOf, accountOf, defineSessionOperation } from '../session-operation.ts'
import { accountStatement, statementCsv } from './account-statement.ts'
import { type AccountRow, findAccount } from './account-store.ts'
import { dayRange, requireOrder } from './day-range.ts'
import { sumsSince } from './ledger-days-store.ts'
import { usageIdOf } from './shown-usage.ts'
import { readEntriesBefore, type StatementDays, type Sums } from './statement-store.ts'

const rowsPerPage = 25
const feed = 'st1'
const access = ['owner', 'billing'] as const

const showStatement = defineSessionOperation({
  name: 'show_statement',
  method: 'GET',
  path: '/dashboard/statement',
  access,
  summary: 'Ledger entries with the balance after each, latest first',
  query: closedObject({ ...dayRange, after: Type.Optional(Type.String({ maxLength: cursorCharactersMax })) }),
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
      const entries = rows.slice(0, rowsPerPage).map(entry => {
        const after = hasQuota ? balance : null
        balance += entry.kind === 'grant' ? -entry.credits : entry.credits
        return {
          recorded_at: entry.recorded_at.toISOString(),
          kind: entry.kind,
          price_key: entry.price_key,
          units: entry.units,
          credits: entry.credits,
          request_id: entry.request_id,
          endpoint: entry.endpoint,
          usage_id: entry.usage === null ? null : usageIdOf(entry.usage),
          note: entry.note,
          balance: after,
        }
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

export type Statement = AnswerOf<typeof showStatement>

/** Subtracts later entries from today's sums, because most statements are of recent days. */
async function sumsOf(
  tx: Transaction,
  { id, granted, used }: AccountRow,
  { from, to }: StatementDays,
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
  query: closedObject(dayRange),
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
