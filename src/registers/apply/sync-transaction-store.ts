import { sql } from 'kysely'
import type { Transaction } from '../../database/open.ts'

/** A sync of 1,000,000 new domains was measured at three minutes on two busy cores, its longest statement at 24 s. */
const statementTimeoutMs = 10 * 60_000
/** A parser may read a large file to its end before its first row. */
const idleTransactionTimeoutMs = 5 * 60_000
/** Comparing sorts and hashes whole registers; the default of 4 MB would do it on disk. */
const workMemory = '64MB'

/**
 * A sync is one long transaction: the limits that keep a request short are too short for it.
 */
export async function prepareTransaction(tx: Transaction, waitMsMax: number): Promise<void> {
  await sql`
    select set_config('statement_timeout', ${`${statementTimeoutMs}ms`}, true),
           set_config('lock_timeout', ${`${waitMsMax}ms`}, true),
           set_config('idle_in_transaction_session_timeout', ${`${idleTransactionTimeoutMs}ms`}, true),
           set_config('work_mem', ${workMemory}, true)`.execute(tx)
}

/**
 * One sync of a stream at a time: the next waits here, and then compares with what this one has written. A schema has locks of its
 * own: the demo world does not wait for the customers'.
 */
export async function lockStream(tx: Transaction, stream: string): Promise<void> {
  await sql`
    select pg_advisory_xact_lock(hashtextextended('baize ' || current_schema() || ' ' || ${`register stream ${stream}`}, 0))`.execute(
    tx,
  )
}
