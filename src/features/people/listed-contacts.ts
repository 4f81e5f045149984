import type { Database } from '../../database/open.ts'
import { type Person, suppressedAmong } from './suppressed-among.ts'

/** What of a prospect list's result (§2.13) speaks of people; the rest of it passes through. */
export type ListedTarget = {
  name: string
  website: string | null
  candidate_organizations: readonly { name: string }[]
  key_contacts: readonly {
    name: string
    professional_profile_url: string | null
    contact_channels: readonly string[]
  }[]
}

export type WithoutSuppressed<Result> = { result: Result; suppressed: number }

/**
 * A result without those of its people who are suppressed; a target that is left without any goes as well, for a target
 * has at least one contact. The very same object where nobody is.
 */
export async function removeSuppressed<
  Target extends ListedTarget,
  Result extends { target_accounts: readonly Target[] },
>(database: Database, result: Result): Promise<WithoutSuppressed<Result>> {
  const people = result.target_accounts.flatMap(peopleOf)
  const verdicts = await suppressedAmong(database, people)
  const suppressed = verdicts.filter(Boolean).length
  if (suppressed === 0) return { result, suppressed }
  let next = 0
  const kept = result.target_accounts
    .map(target => ({ ...target, key_contacts: target.key_contacts.filter(() => !verdicts[next++]) }))
    .filter(target => target.key_contacts.length > 0)
  return { result: { ...result, target_accounts: kept }, suppressed }
}

function peopleOf(target: ListedTarget): Person[] {
  const employer = {
    names: [target.name, ...target.candidate_organizations.map(organization => organization.name)],
    sites: target.website === null ? [] : [target.website],
  }
  return target.key_contacts.map(contact => ({
    name: contact.name,
    emails: contact.contact_channels,
    profiles: contact.professional_profile_url === null ? [] : [contact.professional_profile_url],
    employer,
  }))
}
