import { sql } from 'kysely'
import type { Transaction } from '../../database/open.ts'

/** A sync of 1,000,000 new domains took three minutes on two busy cores. Its longest statement took 24 s. */
const statementTimeoutMs = 10 * 60_000
/** A parser may read a large file to its end before its first row. */
const idleTransactionTimeoutMs = 5 * 60_000
/** Comparing sorts and hashes whole registers, which the default of 4 MB would spill to disk. */
const workMemory = '64MB'

export async function prepareTransaction(tx: Transaction, waitMsMax: number): Promise<void> {
  await sql`
    select set_config('statement_timeout', ${`${statementTimeoutMs}ms`}, true),
           set_config('lock_timeout', ${`${waitMsMax}ms`}, true),
           set_config('idle_in_transaction_session_timeout', ${`${idleTransactionTimeoutMs}ms`}, true),
           set_config('work_mem', ${workMemory}, true)`.execute(tx)
}

/** Marks the point to which `undoReading` rolls back. */
export async function beginReading(tx: Transaction): Promise<void> {
  await sql`savepoint reading`.execute(tx)
}

/** Rolls back the stored files, rows, temporary tables and locks of a reading that is not needed. */
export async function undoReading(tx: Transaction): Promise<void> {
  await sql`rollback to savepoint reading`.execute(tx)
}

/**
 * Allows one sync of a stream at a time. The lock is for each schema, so that the demo world does not wait.
 */
export async function lockStream(tx: Transaction, stream: string): Promise<void> {
  const key = `register stream ${stream}`
  await sql`
    select pg_advisory_xact_lock(
             hashtextextended('baize ' || current_schema() || ' ' || ${key}, 0))`.execute(tx)
}
