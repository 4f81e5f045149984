import { type RawBuilder, sql } from 'kysely'
import { isLockTimeout } from '../database/errors.ts'
import type { Database } from '../database/open.ts'
import { storedAnswersDays } from './idempotency.ts'
import { newSettlementId } from './settlement-id.ts'

/** Longer than kept answers, so that `verify` can hold each kept answer against its settlement. */
const settlementsDays = 8
const monthsAhead = 3
/** Few enough that a statement takes milliseconds: whoever writes under a key that is just purged waits for it. */
const purgedAtOnceMax = 5_000
/** At 10,000 answers a second, 300,000 of each table come due in the 30 s between two rounds. */
const purgeRoundMsMax = 20_000

/** Makes the coming months' partitions of ledger and usage; safe to run from several processes at once. */
export async function preparePartitions(database: Database, now: Date): Promise<number> {
  const { rows } = await sql<{ made: number }>`
    select ensure_month_partitions(${now.toISOString().slice(0, 10)}::date, ${monthsAhead}) as made`.execute(
    database,
  )
  return rows[0]?.made ?? 0
}

export type PurgeOptions = {
  /** After that no further statement begins; the next round goes on. */
  roundMsMax?: number
  /** Stops between two statements, when the process is to end. */
  signal?: AbortSignal
}

/**
 * Deletes kept answers and settlement ids past their age, oldest first, until none is left or the time is up; says how
 * many went. Each statement is a short transaction, and passes over rows that somebody else holds: several processes
 * purge beside each other, and none makes a settlement wait for long.
 */
export async function purgeOld(
  database: Database,
  now: Date,
  { roundMsMax = purgeRoundMsMax, signal }: PurgeOptions = {},
): Promise<{ answers: number; settlements: number }> {
  const startedMs = performance.now()
  const purged = { answers: 0, settlements: 0 }
  for (;;) {
    const answers = await rowsOf(database, deleteAnswers(daysBefore(now, storedAnswersDays)))
    const settlements = await rowsOf(database, deleteSettlements(daysBefore(now, settlementsDays)))
    purged.answers += answers
    purged.settlements += settlements
    const caughtUp = answers < purgedAtOnceMax && settlements < purgedAtOnceMax
    if (caughtUp || signal?.aborted || performance.now() - startedMs >= roundMsMax) return purged
  }
}

function deleteAnswers(before: Date): RawBuilder<unknown> {
  return sql`
    delete from idempotency_records
     where ctid = any (array(
       select ctid
         from idempotency_records
        where created_at < ${before}
        order by created_at
        limit ${purgedAtOnceMax}
          for update skip locked
     ))`
}

/** Ids begin with the time at which they were made, which is at most moments before they were settled. */
function deleteSettlements(before: Date): RawBuilder<unknown> {
  return sql`
    delete from settlements
     where ctid = any (array(
       select ctid
         from settlements
        where settlement_id < ${newSettlementId(before.getTime())}
          and settled_at < ${before}
        order by settlement_id
        limit ${purgedAtOnceMax}
          for update skip locked
     ))`
}

/** Long enough for a charge that is just being written, and short enough that the next ones hardly wait behind it. */
const dropLockTimeoutMs = 200
const purgedUsageAtOnceMax = 20_000

/**
 * Deletes usage records (never the ledger) of the months before the last `keptMonths` whole ones: a month at a time, by
 * dropping its partition, and what lies outside of any month row by row. A month that is being read or written is left for
 * the next round: dropping it waits for its lock no longer than requests can bear. Says what went.
 */
export async function purgeUsage(
  database: Database,
  now: Date,
  keptMonths: number,
): Promise<{ months: string[]; rows: number }> {
  const before = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - keptMonths, 1))
  const { rows: past } = await sql<{ name: string }>`
    select child.relname as name
      from pg_inherits
      join pg_class child on child.oid = inhrelid
     where inhparent = 'usage_records'::regclass
       and child.relname ~ '^usage_records_[0-9]{4}_[0-9]{2}$'
       and child.relname collate "C" < ${`usage_records_${before.toISOString().slice(0, 7).replace('-', '_')}`}
     order by child.relname`.execute(database)
  const months: string[] = []
  for (const { name } of past)
    if (await dropMonth(database, name)) months.push(name.slice(-7).replace('_', '-'))
  let rows = 0
  for (;;) {
    const gone = await rowsOf(
      database,
      sql`
        delete from usage_records_default
         where ctid = any (array(
           select ctid from usage_records_default where requested_at < ${before} limit ${purgedUsageAtOnceMax}
         ))`,
    )
    rows += gone
    if (gone < purgedUsageAtOnceMax) return { months, rows }
  }
}

async function dropMonth(database: Database, partition: string): Promise<boolean> {
  try {
    await database.transaction().execute(async tx => {
      await sql`select set_config('lock_timeout', ${`${dropLockTimeoutMs}ms`}, true)`.execute(tx)
      await sql`drop table ${sql.table(partition)}`.execute(tx)
    })
    return true
  } catch (error) {
    if (isLockTimeout(error)) return false
    throw error
  }
}

async function rowsOf(database: Database, statement: RawBuilder<unknown>): Promise<number> {
  const { numAffectedRows } = await statement.execute(database)
  return Number(numAffectedRows ?? 0)
}

function daysBefore(now: Date, days: number): Date {
  return new Date(now.getTime() - days * 86_400_000)
}
