import type { Database } from '../../database/open.ts'
import { type Person, suppressedAmong } from '../suppressions/index.ts'
import { availability } from './availability.ts'
import { findEmployer, readReachable } from './contacts-store.ts'
import { readStoredAnswers, rewriteAnswer } from './stored-answers-store.ts'

type Answer = {
  data: {
    company_ref: string
    contacts: { name: string; email: string | null; linkedin_url: string | null }[]
    billing: { returned_count: number }
  }
}

/**
 * Removes suppressed people, and updates `returned_count` (`available` and `reason` if none is left).
 * The charge stays, because the contacts were delivered. Returns the number of changed answers.
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

/** Other operations return `contacts` without a `contact_ref`. */
function peopleAnswer(body: string): Answer | null {
  const { data } = JSON.parse(body) as { data?: { contacts?: unknown } }
  const contacts = data?.contacts
  const isOurs =
    Array.isArray(contacts) &&
    contacts.every(contact => typeof contact === 'object' && contact !== null && 'contact_ref' in contact)
  return isOurs ? (JSON.parse(body) as Answer) : null
}
