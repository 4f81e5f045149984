/**
 * Recognises natural persons among the names that registers print. A name in doubt is a firm's: a person is
 * found by a given name of the register's language, and by the lack of any word of an organisation.
 */
import { readFileSync } from 'node:fs'
import { foldedWords } from './fold-text.ts'
import { formWordsAt } from './legal-name.ts'

const data = (name: string) =>
  readFileSync(new URL(`./data/${name}`, import.meta.url), 'utf8')
    .split('\n')
    .filter(line => line !== '' && !line.startsWith('#'))

/** The given names by language (`de`) and country (`AT`). */
let givenNames: Map<string, Set<string>> | undefined

function readGivenNames(): Map<string, Set<string>> {
  const sets = new Map<string, Set<string>>()
  let current: Set<string>[] = []
  for (const line of data('given-names.txt'))
    if (line.endsWith(':'))
      current = line
        .slice(0, -1)
        .split(' ')
        .map(place => {
          const set = sets.get(place) ?? new Set()
          sets.set(place, set)
          return set
        })
    else for (const name of line.split(' ')) for (const set of current) set.add(name)
  return sets
}

const organisations = data('organisation-words.txt').flatMap(line => line.split(' '))
/** Words with `-` in front are endings of compounds: `-verein` matches Sportverein. */
const endings = organisations.filter(word => word.startsWith('-')).map(word => word.slice(1))
const words = new Set(organisations.filter(word => !word.startsWith('-')))
/** Firms that are named like a person. */
const firms = new Set(data('firms-like-people.txt'))

const titles = /^(?:(?:herr|frau|hr\.?|fr\.?|mr\.?|mrs\.?|ms\.?|dr\.?|prof\.?|dipl\.?-\p{L}+\.?)\s+)+/iu
/** Particles of surnames, which do not count as words. */
const particles = new Set(
  'von vom van der den de del della di da do dos das du la le el al ten ter zu zur zum af av und y e'.split(
    ' ',
  ),
)
const nameWord = /^\p{L}[\p{L}\p{M}'’.-]*$/u
const wordsMin = 2
const wordsMax = 4

export type PersonReading = 'person' | 'doubtful' | 'none'

/**
 * Reads a published name. `places` are languages (`de`) or countries (`AT`). A name is doubtful if a given
 * name stands elsewhere than in front.
 */
export function readPersonName(published: string, places: readonly string[]): PersonReading {
  const name = inOrder(published.normalize('NFC').trim().replace(titles, ''))
  const parts = name.split(/\s+/)
  if (!parts.every(part => nameWord.test(part))) return 'none'
  const count = parts.filter(part => !particles.has(part.toLowerCase())).length
  if (count < wordsMin || count > wordsMax) return 'none'
  const folded = foldedWords(name)
  if (firms.has(folded.join(' ')) || folded.some(isOfOrganisation)) return 'none'
  if (folded.some((_, at) => at > 0 && formWordsAt(folded, at) > 0)) return 'none'
  givenNames ??= readGivenNames()
  const sets = places.flatMap(place => givenNames?.get(place) ?? [])
  const isGiven = (word: string | undefined) => word !== undefined && sets.some(set => set.has(word))
  if (isGiven(folded[0])) return 'person'
  return folded.slice(1).some(isGiven) ? 'doubtful' : 'none'
}

/** Puts a given name in front: `Doe, Jane` becomes `Jane Doe`. */
function inOrder(name: string): string {
  const [last = '', first = '', ...others] = name.split(',').map(part => part.trim())
  return first === '' || others.length > 0 ? name : `${first} ${last}`
}

const isOfOrganisation = (word: string) =>
  words.has(word) || endings.some(ending => word.length > ending.length && word.endsWith(ending))

/** Matches what follows an organisation's name: a person or an address to write to. */
const contact = new RegExp(
  `[\\s,;(]+(?:${[
    String.raw`c\s?/\s?o\b`,
    String.raw`v\s?/`,
    String.raw`z\.?\s?hd\.?`,
    String.raw`attn?(?:\.|:|\s)`,
    String.raw`inh(?:\.|aber(?:in)?\b)`,
    'vertreten durch',
    'represented by',
    String.raw`ved (?:kasserer|formand)(?:en)?\b`,
    String.raw`(?:kasserer|formand)(?:en)?\b[ :]`,
  ].join('|')}).*$`,
  'isu',
)

/** Cuts a contact off the name of an organisation: `Otter Club, c/o Jane Doe` becomes `Otter Club`. */
export function withoutContactPart(name: string): string {
  const cut = name.replace(contact, '').trim()
  return /\p{L}{2}/u.test(cut) ? cut : name
}
