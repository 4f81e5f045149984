import { sql } from 'kysely'
import type { Database } from '../database/open.ts'

/** Kept answers replay for 7 days (contract section 5). */
const keptAnswersDays = 7
/** Longer than kept answers, so that `verify` can hold each kept answer against its settlement. */
const settlementsDays = 8
const monthsAhead = 3
const purgedAtOnceMax = 50_000

/** Makes the coming months' partitions of ledger and usage; safe to run from several processes at once. */
export async function preparePartitions(database: Database, now: Date): Promise<number> {
  const { rows } = await sql<{ made: number }>`
    select ensure_month_partitions(${now.toISOString().slice(0, 10)}::date, ${monthsAhead}) as made`.execute(
    database,
  )
  return rows[0]?.made ?? 0
}

/** Deletes kept answers and settlement ids past their age, in bounded steps; says how many went. */
export async function purgeOld(
  database: Database,
  now: Date,
): Promise<{ answers: number; settlements: number }> {
  const answers = await sql`
    delete from idempotency_records
     where (account_id, idempotency_key) in (
       select account_id, idempotency_key
         from idempotency_records
        where created_at < ${daysBefore(now, keptAnswersDays)}
        limit ${purgedAtOnceMax}
     )`.execute(database)
  const settlements = await sql`
    delete from settlements
     where settlement_id in (
       select settlement_id
         from settlements
        where settled_at < ${daysBefore(now, settlementsDays)}
        limit ${purgedAtOnceMax}
     )`.execute(database)
  return {
    answers: Number(answers.numAffectedRows ?? 0),
    settlements: Number(settlements.numAffectedRows ?? 0),
  }
}

function daysBefore(now: Date, days: number): Date {
  return new Date(now.getTime() - days * 86_400_000)
}
