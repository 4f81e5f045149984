import { sql } from 'kysely'
import type { Database } from '../../database/open.ts'
import { type Person, suppressedAmong } from '../suppressions/index.ts'
import { availability } from './availability.ts'
import { findEmployer, readReachable } from './contacts-store.ts'

type StoredAnswer = {
  account_id: number
  idempotency_key: string
  settlement_id: string
  body: string
  /** The time as text, because a Date would lose its microseconds. */
  settled_at: string
}

const answersAtOnceMax = 200

/** This condition must equal that of the index `idempotency_records_of_people`. */
const holdsPeople = sql`starts_with(body, '{"success":true') and left(body, 200) like '%"contacts":%'`

/** Yields the stored answers since `since` that may contain people, the oldest first. */
async function* readStoredAnswers(database: Database, since: Date): AsyncGenerator<StoredAnswer, void> {
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

/** Replaces a stored answer. Returns false if the key has another answer by now. */
async function rewriteAnswer(
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

type Answer = {
  data: {
    company_ref: string
    contacts: { name: string; email: string | null; linkedin_url: string | null }[]
    billing: { returned_count: number }
  }
}

/**
 * Removes suppressed people from stored answers, and updates `returned_count` (`available` and `reason` if
 * nobody is left). The charge stays, because the contacts were delivered. Returns the number of changed
 * answers.
 */
export async function rewriteStoredAnswers(database: Database, since: Date): Promise<number> {
  let rewritten = 0
  for await (const stored of readStoredAnswers(database, since)) {
    const answer = peopleAnswer(stored.body)
    if (answer === null) continue
    const { company_ref: companyRef, contacts, billing } = answer.data
    const people = contacts.map(
      ({ name, email, linkedin_url }): Person => ({
        name,
        emails: email === null ? [] : [email],
        profiles: linkedin_url === null ? [] : [linkedin_url],
        employer: { companyRef },
      }),
    )
    const suppressed = await suppressedAmong(database, people)
    if (!suppressed.includes(true)) continue
    const remaining = contacts.filter((_, index) => !suppressed[index])
    const data = {
      ...answer.data,
      ...(remaining.length > 0 ? {} : await absence(database, companyRef)),
      contacts: remaining,
      billing: { ...billing, returned_count: remaining.length },
    }
    const body = JSON.stringify({ ...answer, data })
    if (await rewriteAnswer(database, stored, body)) rewritten += 1
  }
  return rewritten
}

async function absence(database: Database, companyRef: string) {
  const employer = await findEmployer(database, companyRef)
  const contacts = employer === undefined ? [] : await readReachable(database, employer.id)
  return availability(0, contacts.length)
}

/** Returns an answer with people. Other operations return `contacts` without a `contact_ref`. */
function peopleAnswer(body: string): Answer | null {
  const { data } = JSON.parse(body) as { data?: { contacts?: unknown } }
  const contacts = data?.contacts
  const isOurs =
    Array.isArray(contacts) &&
    contacts.every(contact => typeof contact === 'object' && contact !== null && 'contact_ref' in contact)
  return isOurs ? (JSON.parse(body) as Answer) : null
}
