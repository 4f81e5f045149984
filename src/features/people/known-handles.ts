import type { Handles, Matched } from './contacts-store.ts'
import { isPersonal } from './person-handles.ts'

/** Whether these are one person: told under one name, and with one profile at most. */
export function areOnePerson(matched: readonly Matched[]): boolean {
  const names = new Set(matched.map(contact => contact.name_key))
  const profiles = new Set(matched.flatMap(({ profile_key }) => (profile_key === null ? [] : [profile_key])))
  return names.size === 1 && profiles.size <= 1
}

/** The handles together with the profile and the addresses of a person who bears one; mailboxes of a role are nobody's. */
export function withAddresses(handles: Handles, person: readonly Matched[]): Handles {
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

/** And with the name, at every Company that the person is told of. */
export function withNames(handles: Handles, person: readonly Matched[]): Handles {
  const names = [...handles.names, ...person.map(({ name_key: key, company_id }) => ({ key, company_id }))]
  const placed = new Map(names.map(each => [JSON.stringify([each.key, each.company_id]), each]))
  return { ...handles, names: [...placed.values()] }
}

export const handleCount = ({ emails, profiles, names }: Handles) =>
  emails.length + profiles.length + names.length
