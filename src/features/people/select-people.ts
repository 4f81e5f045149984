import { Failure } from '../../core/failure.ts'
import { foldedWords } from '../../core/fold-text.ts'
import type { StoredContact } from './contacts-store.ts'
import { readTitle, type TitleReading } from './read-title.ts'
import { type RoleKey, roleKeys } from './role-glossary.ts'
import { seniorities } from './seniority-words.ts'

const termsMax = 20

/** What `role` asks for: keys of the glossary and free text, any of which is enough. */
export type RoleTerms = { keys: readonly RoleKey[]; texts: readonly string[] }

const isKey = (term: string): term is RoleKey => (roleKeys as readonly string[]).includes(term)

/** Terms in one spelling and one order, behind commas: the same question has the same fingerprint. */
export function canonicalRole(role: string): string {
  const terms = role.split(/,|(?<=^|\s)or(?=\s|$)/i).map(term => {
    const key = term.trim().toLowerCase()
    return isKey(key) ? key : foldedWords(term).join(' ')
  })
  if (terms.includes('') || terms.length > termsMax)
    throw new Failure('invalid_parameter', {
      message: '"role" takes glossary keys or words of titles, with OR or a comma between them.',
      details: { parameter: 'role', takes: `1 to ${termsMax} terms, each with a letter or digit` },
    })
  return [...new Set(terms)].sort().join(',')
}

export function roleTerms(canonical: string): RoleTerms {
  const terms = canonical.split(',')
  return { keys: roleKeys.filter(key => terms.includes(key)), texts: terms.filter(term => !isKey(term)) }
}

export type SelectedPerson = StoredContact & {
  /** The key that the person answers to; null: words of the title, or nothing was asked for and no key fits. */
  role_key: RoleKey | null
  reading: TitleReading
}

/** Whom the terms select, in the order in which they are delivered: seniority, last verified, ref. */
export function selectPeople(held: readonly StoredContact[], terms: RoleTerms | null): SelectedPerson[] {
  const selected: SelectedPerson[] = []
  for (const contact of distinctPeople(held)) {
    const words = wordsOf(contact)
    const reading = words === null ? unread : readTitle(words)
    const role_key = (terms?.keys ?? roleKeys).find(key => reading.roleKeys.includes(key)) ?? null
    if (terms === null || role_key !== null || containsAny(words, terms.texts))
      selected.push({ ...contact, role_key, reading })
  }
  return selected.sort(
    (one, other) =>
      rankOf(one) - rankOf(other) ||
      (other.last_verified_at?.getTime() ?? 0) - (one.last_verified_at?.getTime() ?? 0) ||
      byText(one.contact_ref, other.contact_ref),
  )
}

const unread: TitleReading = { roleKeys: [], seniority: null, function: null }

/** The title decides; the headline is read only of people who have none (§4.7). */
export const wordsOf = ({ title, headline }: StoredContact) => title ?? headline

function containsAny(words: string | null, texts: readonly string[]): boolean {
  if (words === null || texts.length === 0) return false
  const folded = foldedWords(words).join(' ')
  return texts.some(text => folded.includes(text))
}

function rankOf({ reading }: SelectedPerson): number {
  return reading.seniority === null ? seniorities.length : seniorities.indexOf(reading.seniority)
}

const byText = (one: string, other: string) => (one < other ? -1 : one > other ? 1 : 0)

/**
 * Companies that were merged may each tell of one person: nobody is delivered, or paid for, twice. Of several the one that
 * was verified last stands. Two people are one with the same profile, or with the same name and not two profiles.
 */
export function distinctPeople(held: readonly StoredContact[]): StoredContact[] {
  const newestFirst = held.toSorted(
    (one, other) =>
      (other.last_verified_at?.getTime() ?? 0) - (one.last_verified_at?.getTime() ?? 0) ||
      other.collected_at.getTime() - one.collected_at.getTime() ||
      byText(one.contact_ref, other.contact_ref),
  )
  const profiles = new Set<string>()
  const names = new Map<string, { withoutProfile: boolean }>()
  return newestFirst.filter(({ name_key, profile_key }) => {
    const namesake = names.get(name_key)
    const isKnown =
      profile_key === null
        ? namesake !== undefined
        : profiles.has(profile_key) || (namesake?.withoutProfile ?? false)
    if (isKnown) return false
    if (profile_key !== null) profiles.add(profile_key)
    names.set(name_key, { withoutProfile: profile_key === null })
    return true
  })
}

/** How many of them each key of the glossary takes; one person may answer to several. */
export function countRoles(people: readonly SelectedPerson[]): Record<RoleKey, number> {
  const counts = Object.fromEntries(roleKeys.map(key => [key, 0])) as Record<RoleKey, number>
  for (const { reading } of people) for (const key of reading.roleKeys) counts[key] += 1
  return counts
}
