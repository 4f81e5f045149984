/** The account's statement in the dashboard: ledger entries, latest first, with the balance after each. */
import { type Static, Type } from 'typebox'
import { openCursor, sealCursor } from '../../core/cursor.ts'
import { Failure } from '../../core/failure.ts'
import { closed, instant, nullable, oneOf } from '../../core/schema.ts'
import { readConsistently } from '../../database/read-consistently.ts'
import { cursorCharactersMax } from '../paging.ts'
import { accountOf, defineSessionOperation } from '../session-operation.ts'
import { accountStatement } from './account-statement.ts'
import { findAccount } from './account-store.ts'
import { csvAttachment } from './csv-attachment.ts'
import { statementCsv } from './statement-csv.ts'
import { readEntriesBefore, sumsBefore } from './statement-store.ts'

const rowsPerPage = 25
const feed = 'st1'
const access = ['owner', 'billing'] as const

const day = Type.Optional(Type.String({ format: 'date' }))

const statement = Type.Object({
  account_ref: Type.String(),
  has_quota: Type.Boolean(),
  entries: Type.Array(
    Type.Object({
      recorded_at: instant(),
      kind: oneOf(['grant', 'charge']),
      price_key: nullable(Type.String()),
      units: nullable(Type.Integer()),
      credits: Type.Integer(),
      request_id: nullable(Type.String()),
      endpoint: nullable(Type.String()),
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
    { to: day, after: Type.Optional(Type.String({ maxLength: cursorCharactersMax })) },
    closed,
  ),
  data: statement,
  failures: ['invalid_cursor', 'cursor_filter_mismatch'],
  async answer(context, { to, after }) {
    const { accountRef } = accountOf(context)
    const scope = { feed, filters: { to, account: accountRef } }
    const secret = await context.world.cursorSecret()
    const sent = after === undefined ? null : readPosition(openCursor(scope, after, secret))
    return readConsistently(context.world, async tx => {
      const account = await findAccount(tx, accountRef)
      if (account === undefined) throw new Failure('route_not_found')
      const next = to === undefined ? null : dayAfter(to)
      const start = async () => {
        const sums = next === null ? null : await sumsBefore(tx, account.id, next)
        return sums === null ? (account.granted ?? 0) - account.used : sums.granted - sums.used
      }
      let balance = sent === null ? await start() : sent.balance
      const page = {
        accountId: account.id,
        before: sent?.before ?? null,
        until: next,
        limit: rowsPerPage + 1,
      }
      const rows = await readEntriesBefore(tx, page)
      const entries = rows.slice(0, rowsPerPage).map(({ entry_id: _, recorded_at, ...entry }) => {
        const shown = { ...entry, recorded_at: recorded_at.toISOString(), balance }
        balance += entry.kind === 'grant' ? -entry.credits : entry.credits
        return { ...shown, balance: account.granted === null ? null : shown.balance }
      })
      const last = rows.length > rowsPerPage ? rows[rowsPerPage - 1] : undefined
      return {
        account_ref: accountRef,
        has_quota: account.granted !== null,
        entries,
        next_cursor:
          last === undefined ? null : sealCursor(scope, [String(last.entry_id), String(balance)], secret),
      }
    })
  },
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
  query: Type.Object({ from: day, to: day }, closed),
  data: Type.Object({}, closed),
  failures: ['invalid_parameter'],
  async answer(context, { from = null, to = null }) {
    if (from !== null && to !== null && from > to)
      throw new Failure('invalid_parameter', {
        message: 'The first day must not be after the last day.',
        details: { parameter: 'from' },
      })
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
