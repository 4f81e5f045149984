import { isLockTimeout } from '@baize/postgres'
import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../database/open.ts'
import { storedAnswersDays } from './idempotency.ts'
import { sessionDays } from './session-spend.ts'
import { newSettlementId } from './settlement-id.ts'

/** Exceeds the time of stored responses, so that `verify` finds each response's settlement. */
const settlementsDays = 8
const monthsAhead = 3
/** Keeps a statement within milliseconds, because a request with a key that is being purged waits for it. */
const purgedAtOnceMax = 5_000
/** At 10,000 requests a second, 300,000 rows of each table expire in the 30 s between two rounds. */
const purgeRoundMsMax = 20_000

/** Creates the coming months' partitions of ledger and usage. Several processes may run it at once. */
export async function preparePartitions(database: Database, now: Date): Promise<number> {
  const { rows } = await sql<{ made: number }>`
    select ensure_month_partitions(${now.toISOString().slice(0, 10)}::date, ${monthsAhead}) as made`.execute(
    database,
  )
  return rows[0]?.made ?? 0
}

export type PurgeOptions = {
  /** After this time no further statement begins, and the next round continues. */
  roundMsMax?: number
  /** Stops the purge between two statements. */
  signal?: AbortSignal
}

/**
 * Deletes expired stored responses and settlement ids, oldest first, and returns how many. Short statements
 * skip locked rows. Several processes may purge at once, and settlements hardly wait.
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
    const bought = await rowsOf(database, deleteBought(daysBefore(now, storedAnswersDays)))
    const settlements = await rowsOf(database, deleteSettlements(daysBefore(now, settlementsDays)))
    purged.answers += answers
    purged.settlements += settlements
    const caughtUp = Math.max(answers, bought, settlements) < purgedAtOnceMax
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

/** Deletes the subjects of expired responses that accounts bought in the dashboard. */
function deleteBought(before: Date): RawBuilder<unknown> {
  return sql`
    delete from bought_answers
     where ctid = any (array(
       select ctid
         from bought_answers
        where bought_at < ${before}
        limit ${purgedAtOnceMax}
          for update skip locked
     ))`
}

/** Deletes by the primary key, because settlement ids begin with their time. */
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

/** Deletes the spends of MCP sessions that have ended, and returns how many. */
export function purgeMcpSessions(database: Database, now: Date): Promise<number> {
  return rowsOf(
    database,
    sql`delete from mcp_sessions where last_charged_at < ${daysBefore(now, sessionDays)}`,
  )
}

/** Waits for a charge in progress, but not longer, because the next charges queue behind the lock. */
const dropLockTimeoutMs = 200
const purgedUsageAtOnceMax = 20_000

/**
 * Deletes usage records (never the ledger) older than the last `keptMonths` whole months: drops their
 * partitions, and deletes from the default partition row by row. A partition in use is left for the next
 * round. Returns what was deleted.
 */
export async function purgeUsage(
  database: Database,
  now: Date,
  keptMonths: number,
): Promise<{ months: string[]; rows: number }> {
  const before = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - keptMonths, 1))
  const firstKept = `usage_records_${before.toISOString().slice(0, 7).replace('-', '_')}`
  const { rows: past } = await sql<{ name: string }>`
    select child.relname as name
      from pg_inherits
      join pg_class child on child.oid = inhrelid
     where inhparent = 'usage_records'::regclass
       and child.relname ~ '^usage_records_[0-9]{4}_[0-9]{2}$'
       and child.relname collate "C" < ${firstKept}
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
