/** Compiles a text that no row contains into a query for similar words. Pure. */
import { editDistance } from '../../../core/edit-distance.ts'
import { formWordsAt, longFormWords } from '../../../core/legal-name.ts'
import { foldDomain, foldName, truncateKey } from '../../../core/search-text.ts'
import { joinedSign, quoted } from '../rows/document.ts'
import { comparedWordsMax, namesMax } from './similar-limits.ts'
import { canBeMisspelt, longerForms, misspelt, piecesOf, splitsOf } from './similar-words.ts'
import { both, domainOf, eitherOf, type TextQuery, tiers } from './text-query.ts'
import type { WordMatch, WordQueries } from './words-store.ts'

/** With two, cooperation would match corporation. */
const formErrorsMax = 1
/** Forms with a definite article, written before the name. */
const formsInFront: ReadonlySet<string> = new Set([
  'aktiebolaget',
  'aktieselskabet',
  'anpartsselskabet',
  'aksjeselskapet',
])

export function wordsOf(text: string): string[] {
  const domain = domainOf(text)
  const { words } = domain === null ? foldName(text) : foldDomain(domain)
  return words.length > comparedWordsMax ? [] : [...withoutForms(words)]
}

/** Ignores a legal form that is misspelt or misplaced: `Lucky Otter Limted`, `Ltd Lucky Otter`. */
function withoutForms(words: readonly string[]): readonly string[] {
  const others: string[] = []
  for (let at = 0; at < words.length; ) {
    const word = words[at] as string
    const whole = formWordsAt(words, at)
    if (whole === 0 && !isLongForm(word)) others.push(word)
    at += Math.max(whole, 1)
  }
  return others.length === 0 ? words : others
}

function isLongForm(word: string): boolean {
  const letters = [...word]
  return (
    formsInFront.has(word) ||
    longFormWords.some(form => editDistance(letters, [...form], formErrorsMax) <= formErrorsMax)
  )
}

function joinsOf(words: readonly string[]): string[] {
  const joins = words.slice(1).map((word, index) => `${words[index]}${word}`)
  return words.length > 2 ? [...joins, words.join('')] : joins
}

export function vocabularyQueries(words: readonly string[]): WordQueries {
  const single = [...new Set(words)].filter(canBeMisspelt)
  const joins = joinsOf(words).filter(canBeMisspelt)
  const longer = [...new Set(words)].map(longerForms)
  return {
    words: [...new Set([...single.flatMap(word => splitsOf(word).flat()), ...joins])],
    pieces: [...new Set([...single, ...joins])].flatMap(word =>
      piecesOf(word).map(piece => ({ ...piece, of: word })),
    ),
    beginnings: longer.flatMap(({ beginning }) => beginning ?? []),
    parts: longer.flatMap(({ part }) => part ?? []),
  }
}

/** Alternatives for a word of the text: one word, or two if a blank is missing; and longer words. */
type Slot = { meant: readonly (readonly string[])[]; longer: readonly string[] }

/** Three tiers: whole names, words, and longer words with those typed. null: no words. */
export function compileSimilar(words: readonly string[], matches: readonly WordMatch[]): TextQuery | null {
  if (words.length === 0) return null
  const vocabulary = new Vocabulary(matches)
  const slots = words.map(word => vocabulary.slotOf(word))
  const readings = [slots, ...joinedReadings(words, slots, vocabulary)]
  const readingsQuery = readings.map(reading => `(${both(reading.map(meantBy))})`).join(' | ')
  const names = [...new Set(readings.flatMap(namesOf))].slice(0, namesMax)
  const marked = new Set(readings.flat().flatMap(({ meant, longer }) => [...meant.flat(), ...longer]))
  return {
    tiers: [
      { tier: tiers.similarName, query: eitherOf(names.map(name => joinedSign + truncateKey(name))) },
      { tier: tiers.misspelt, query: readingsQuery },
      { tier: tiers.parts, query: both(slots.map(containing)) },
    ],
    rank: readingsQuery,
    marks: {
      words: marked,
      form: [],
      beginning: null,
      names: new Set(names.map(name => truncateKey(name))),
      begun: new Set(),
      numbers: [],
      domain: null,
    },
  }
}

const meantBy = ({ meant }: Slot) => meant.map(words => `(${words.map(lexeme).join(' & ')})`).join(' | ')
const containing = (slot: Slot) => [meantBy(slot), ...slot.longer.map(lexeme)].join(' | ')
const lexeme = (word: string) => quoted(truncateKey(word))

/** Two neighbours joined, or the whole text, if such a word or a similar one is stored. */
function joinedReadings(words: readonly string[], slots: readonly Slot[], vocabulary: Vocabulary): Slot[][] {
  const readings: Slot[][] = []
  for (let at = 1; at < words.length; at += 1) {
    const joined = vocabulary.storedSlotOf(`${words[at - 1]}${words[at]}`)
    if (joined !== null) readings.push([...slots.slice(0, at - 1), joined, ...slots.slice(at + 1)])
  }
  const whole = words.length > 2 ? vocabulary.storedSlotOf(words.join('')) : null
  return whole === null ? readings : [...readings, [whole]]
}

function namesOf(slots: readonly Slot[]): string[] {
  let names = ['']
  for (const { meant } of slots)
    names = meant.flatMap(words => names.map(name => name + words.join(''))).slice(0, namesMax)
  return names
}

class Vocabulary {
  readonly #stored = new Set<string>()
  readonly #candidates = new Map<string, { near: string[]; longer: string[] }>()

  constructor(matches: readonly WordMatch[]) {
    for (const { of, word, how } of matches) {
      if (how === 'known') {
        this.#stored.add(word)
        continue
      }
      const candidates = this.#candidates.get(of) ?? { near: [], longer: [] }
      this.#candidates.set(of, candidates)
      if (how === 'piece') candidates.near.push(word)
      else candidates.longer.push(word)
    }
  }

  slotOf(word: string): Slot {
    const { near, longer } = this.#candidates.get(word) ?? { near: [], longer: [] }
    const splits = splitsOf(word).filter(parts => parts.every(part => this.#stored.has(part)))
    const spelt = misspelt(word, near)
    const meant = [[word], ...spelt.map(other => [other]), ...splits]
    return { meant, longer: [...new Set(longer)].filter(other => !spelt.includes(other)).sort() }
  }

  storedSlotOf(word: string): Slot | null {
    const { meant } = this.slotOf(word)
    const stored = meant.filter(([first]) => first !== word || this.#stored.has(word))
    return stored.length === 0 ? null : { meant: stored, longer: [] }
  }
}
