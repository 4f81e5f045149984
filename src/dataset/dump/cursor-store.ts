import { type RawBuilder, sql } from 'kysely'
import type { Transaction } from '../../database/open.ts'

const rowsAtOnce = 1_000
const statementTimeoutMs = 30 * 60_000
const idleTimeoutMs = 10 * 60_000

/** Raises the timeouts, because the first rows of a large sorted cursor are slow. */
export async function allowLongReading(tx: Transaction): Promise<void> {
  await sql`
    select set_config('statement_timeout', ${String(statementTimeoutMs)}, true),
           set_config('idle_in_transaction_session_timeout', ${String(idleTimeoutMs)}, true)`.execute(tx)
}

export async function* readByCursor<Row>(tx: Transaction, query: RawBuilder<unknown>): AsyncGenerator<Row[]> {
  await sql`declare reading no scroll cursor for ${query}`.execute(tx)
  try {
    for (;;) {
      const { rows } = await sql<Row>`fetch ${sql.lit(rowsAtOnce)} from reading`.execute(tx)
      if (rows.length > 0) yield rows
      if (rows.length < rowsAtOnce) return
    }
  } finally {
    await sql`close reading`.execute(tx)
  }
}
