import { sql } from 'kysely'
import type { Database } from '../../database/open.ts'

export type StoredAnswer = {
  account_id: number
  idempotency_key: string
  settlement_id: string
  body: string
  /** As text: a Date would lose the microseconds. */
  settled_at: string
}

const answersAtOnceMax = 200

/** Must match the condition of the index `idempotency_records_of_people`. */
const holdsPeople = sql`starts_with(body, '{"success":true') and left(body, 200) like '%"contacts":%'`

/** Answers since `since` that may contain people, oldest first. */
export async function* readStoredAnswers(
  database: Database,
  since: Date,
): AsyncGenerator<StoredAnswer, void> {
  let after = { settled_at: since.toISOString(), settlement_id: '00000000-0000-0000-0000-000000000000' }
  for (;;) {
    const { rows } = await sql<StoredAnswer>`
      select account_id, idempotency_key, settlement_id, body, created_at::text as settled_at
        from idempotency_records
       where ${holdsPeople}
         and created_at >= ${after.settled_at}::timestamptz
         and (created_at, settlement_id) > (${after.settled_at}::timestamptz, ${after.settlement_id}::uuid)
       order by created_at, settlement_id
       limit ${answersAtOnceMax}`.execute(database)
    yield* rows
    const last = rows.at(-1)
    if (last === undefined) return
    after = last
  }
}

/** false: another answer is now stored under the key. */
export async function rewriteAnswer(
  database: Database,
  { account_id, idempotency_key, settlement_id }: StoredAnswer,
  body: string,
): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update idempotency_records
       set body = ${body}
     where account_id = ${account_id}
       and idempotency_key = ${idempotency_key}
       and settlement_id = ${settlement_id}`.execute(database)
  return Number(numAffectedRows ?? 0) > 0
}
