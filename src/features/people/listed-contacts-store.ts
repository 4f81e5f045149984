import { sql } from 'kysely'
import type { Database, Transaction } from '../../database/open.ts'
import { type Person, suppressedAmong } from '../suppressions/index.ts'

type ListedTarget = {
  name: string
  website: string | null
  candidate_organizations: readonly { name: string }[]
  key_contacts: readonly {
    name: string
    professional_profile_url: string | null
    contact_channels: readonly string[]
  }[]
}

type WithoutSuppressed<Result> = { result: Result; suppressed: number }

/**
 * Removes suppressed people from a prospect list, and targets without a remaining contact. Returns the same
 * object if nobody is suppressed.
 */
export async function removeSuppressed<
  Target extends ListedTarget,
  Result extends { target_accounts: readonly Target[] },
>(database: Database, result: Result): Promise<WithoutSuppressed<Result>> {
  const people = result.target_accounts.flatMap(peopleOf)
  const flags = await suppressedAmong(database, people)
  const suppressed = flags.filter(Boolean).length
  if (suppressed === 0) return { result, suppressed }
  let next = 0
  const targets = result.target_accounts
    .map(target => ({ ...target, key_contacts: target.key_contacts.filter(() => !flags[next++]) }))
    .filter(target => target.key_contacts.length > 0)
  return { result: { ...result, target_accounts: targets }, suppressed }
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

export type ListedContacts = { id: number; result: { target_accounts: ListedTarget[] } }

const listsAtOnceMax = 50

/** Reads prospect lists in order of id, and locks the rows of each page. */
export async function* readStoredLists(tx: Transaction): AsyncGenerator<ListedContacts, void> {
  for (let after = 0; ; ) {
    const { rows } = await sql<ListedContacts>`
      select id, result
        from prospect_lists
       where id > ${after} and result is not null
       order by id
       limit ${listsAtOnceMax}
         for update`.execute(tx)
    yield* rows
    const last = rows.at(-1)
    if (last === undefined) return
    after = last.id
  }
}

export async function rewriteList(tx: Transaction, { id, result }: ListedContacts): Promise<void> {
  await sql`update prospect_lists set result = ${JSON.stringify(result)}::jsonb where id = ${id}`.execute(tx)
}
