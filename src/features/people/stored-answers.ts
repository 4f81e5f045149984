import type { Database } from '../../database/open.ts'
import { availability } from './availability.ts'
import { findEmployer, readReachable } from './contacts-store.ts'
import { readStoredAnswers, rewriteAnswer } from './stored-answers-store.ts'
import { type Person, suppressedAmong } from './suppressed-among.ts'

/** What of a kept answer of `list_people` is read here; all else in it passes through. */
type Answer = {
  data: {
    company_ref: string
    contacts: { name: string; email: string | null; linkedin_url: string | null }[]
    billing: { returned_count: number }
  }
}

/**
 * Takes suppressed people out of the answers kept under an Idempotency-Key since a moment; tells how many answers it
 * changed. Its count is that of the people who are left, and where nobody is, it says what a page without contacts says. What
 * else an answer says stays, the charge above all: the contacts were delivered, and its replays stay free and are alike
 * from then on.
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
    const verdicts = await suppressedAmong(database, people)
    if (!verdicts.includes(true)) continue
    const kept = contacts.filter((_, index) => !verdicts[index])
    const data = {
      ...answer.data,
      ...(kept.length > 0 ? {} : await absence(database, companyRef)),
      contacts: kept,
      billing: { ...billing, returned_count: kept.length },
    }
    const body = JSON.stringify({ ...answer, data })
    if (await rewriteAnswer(database, stored, body)) rewritten += 1
  }
  return rewritten
}

async function absence(database: Database, companyRef: string) {
  const employer = await findEmployer(database, companyRef)
  const held = employer === undefined ? [] : await readReachable(database, employer.id)
  return availability(0, held.length)
}

/** Other operations may have a member of that name; only an answer with contacts of ours is one of people. */
function peopleAnswer(body: string): Answer | null {
  const { data } = JSON.parse(body) as { data?: { contacts?: unknown } }
  const contacts = data?.contacts
  const isOurs =
    Array.isArray(contacts) &&
    contacts.every(contact => typeof contact === 'object' && contact !== null && 'contact_ref' in contact)
  return isOurs ? (JSON.parse(body) as Answer) : null
}
