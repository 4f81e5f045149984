import { isPersonal } from '@baize/names'
import type { Handles, MatchedContact } from './contacts-store.ts'

/** Returns true if the contacts can be one person, who has a single name and at most one profile. */
export function areOnePerson(matched: readonly MatchedContact[]): boolean {
  const names = new Set(matched.map(contact => contact.name_key))
  const profiles = new Set(matched.flatMap(({ profile_key }) => (profile_key === null ? [] : [profile_key])))
  return names.size === 1 && profiles.size <= 1
}

/** Adds the person's profiles and personal addresses; role mailboxes are left out. */
export function withAddresses(handles: Handles, person: readonly MatchedContact[]): Handles {
  const emails = person.flatMap(({ email, name }) =>
    email !== null && isPersonal(email, name) ? [email] : [],
  )
  const profiles = person.flatMap(({ profile_key }) => (profile_key === null ? [] : [profile_key]))
  return {
    emails: [...new Set([...handles.emails, ...emails])],
    profiles: [...new Set([...handles.profiles, ...profiles])],
    names: handles.names,
  }
}

/** Adds the person's name at every Company that has the person on file. */
export function withNames(handles: Handles, person: readonly MatchedContact[]): Handles {
  const names = [...handles.names, ...person.map(({ name_key: key, company_id }) => ({ key, company_id }))]
  const distinct = new Map(names.map(each => [JSON.stringify([each.key, each.company_id]), each]))
  return { ...handles, names: [...distinct.values()] }
}

export const handleCount = ({ emails, profiles, names }: Handles) =>
  emails.length + profiles.length + names.length
