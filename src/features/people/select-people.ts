import { foldedWords } from '@baize/names'
import { type RoleKey, readTitle, roleKeys, seniorities, type TitleReading } from '@baize/titles'
import { Failure } from '../../core/failure.ts'
import type { StoredContact } from './contacts-store.ts'

const termsMax = 20

export type RoleTerms = { keys: readonly RoleKey[]; texts: readonly string[] }

const isKey = (term: string): term is RoleKey => (roleKeys as readonly string[]).includes(term)

/**
 * Normalises the filter by role. The result is sorted, so that equal filters have one request fingerprint.
 */
export function canonicalRole(role: string): string {
  const terms = role.split(/,|(?<=^|\s)or(?=\s|$)/i).map(term => {
    const key = term.trim().toLowerCase()
    return isKey(key) ? key : foldedWords(term).join(' ')
  })
  if (terms.includes('') || terms.length > termsMax)
    throw new Failure('invalid_parameter', {
      message: '"role" must be glossary keys or words of titles, separated by OR or commas.',
      details: { parameter: 'role', takes: `1 to ${termsMax} terms, each with a letter or digit` },
    })
  return [...new Set(terms)].sort().join(',')
}

export function roleTerms(canonical: string): RoleTerms {
  const terms = canonical.split(',')
  return { keys: roleKeys.filter(key => terms.includes(key)), texts: terms.filter(term => !isKey(term)) }
}

export type SelectedPerson = StoredContact & {
  /** The ids of all contacts of the person. */
  ids: readonly number[]
  /** The role; null if only free text matched, or the title has no role. */
  role_key: RoleKey | null
  reading: TitleReading
}

export function selectPeople(contacts: readonly StoredContact[], terms: RoleTerms | null): SelectedPerson[] {
  const selected: SelectedPerson[] = []
  for (const { contact, ids } of groupPeople(contacts)) {
    const words = titleOrHeadline(contact)
    const reading = words === null ? noReading : readTitle(words)
    const role_key = (terms?.keys ?? roleKeys).find(key => reading.roleKeys.includes(key)) ?? null
    if (terms === null || role_key !== null || containsAny(words, terms.texts))
      selected.push({ ...contact, ids, role_key, reading })
  }
  return selected.sort(
    (one, other) =>
      rankOf(one) - rankOf(other) ||
      (other.last_verified_at?.getTime() ?? 0) - (one.last_verified_at?.getTime() ?? 0) ||
      byText(one.contact_ref, other.contact_ref),
  )
}

const noReading: TitleReading = { roleKeys: [], seniority: null, function: null }

export const titleOrHeadline = ({ title, headline }: StoredContact) => title ?? headline

function containsAny(words: string | null, texts: readonly string[]): boolean {
  if (words === null || texts.length === 0) return false
  const folded = foldedWords(words).join(' ')
  return texts.some(text => folded.includes(text))
}

function rankOf({ reading }: SelectedPerson): number {
  return reading.seniority === null ? seniorities.length : seniorities.indexOf(reading.seniority)
}

const byText = (one: string, other: string) => (one < other ? -1 : one > other ? 1 : 0)

export const distinctPeople = (contacts: readonly StoredContact[]): StoredContact[] =>
  groupPeople(contacts).map(({ contact }) => contact)

/** The time from which the age of a contact counts: its fetch, or the verification that a file gives. */
export const obtainedMs = ({ fetched_at, last_verified_at, collected_at }: StoredContact): number =>
  (fetched_at ?? last_verified_at ?? collected_at).getTime()

type Person = { contact: StoredContact; ids: number[] }

/**
 * Groups contacts by person. Contacts of merged Companies are one person if they share a profile, or a name
 * with at most one profile. The contact obtained last represents the person.
 */
function groupPeople(contacts: readonly StoredContact[]): Person[] {
  const newestFirst = contacts.toSorted(
    (one, other) => obtainedMs(other) - obtainedMs(one) || byText(one.contact_ref, other.contact_ref),
  )
  const people: Person[] = []
  const byProfile = new Map<string, Person>()
  const byName = new Map<string, Person>()
  for (const contact of newestFirst) {
    const { id, name_key, profile_key } = contact
    const namesake = byName.get(name_key)
    const known =
      profile_key === null
        ? namesake
        : (byProfile.get(profile_key) ?? (namesake?.contact.profile_key === null ? namesake : undefined))
    if (known !== undefined) {
      known.ids.push(id)
      continue
    }
    const person = { contact, ids: [id] }
    people.push(person)
    byName.set(name_key, person)
    if (profile_key !== null) byProfile.set(profile_key, person)
  }
  return people
}

export function countRoles(people: readonly SelectedPerson[]): Record<RoleKey, number> {
  const counts = Object.fromEntries(roleKeys.map(key => [key, 0])) as Record<RoleKey, number>
  for (const { reading } of people) for (const key of reading.roleKeys) counts[key] += 1
  return counts
}
