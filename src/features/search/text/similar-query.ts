/** Compiles a text that no row contains into a query for similar words, without reading data. */
import {
  editDistance,
  foldDomain,
  foldFrontName,
  foldName,
  formWordsAt,
  isFormInFront,
  longFormWords,
  truncateKey,
} from '@baize/names'
import { joinedSign, quoted } from '../rows/document.ts'
import {
  canBeMisspelt,
  comparedWordsMax,
  longerForms,
  misspelt,
  namesMax,
  piecesOf,
  splitsOf,
} from './similar-words.ts'
import { both, domainInText, eitherOf, type TextQuery, tiers } from './text-query.ts'
import type { WordMatch, WordQueries } from './words-store.ts'

/** The most errors in a legal form. With two, cooperation would match corporation. */
const formErrorsMax = 1
export function similarWordsOf(text: string): string[] {
  const domain = domainInText(text)
  const front = domain === null ? foldFrontName(text) : null
  const { words } = domain !== null ? foldDomain(domain) : front?.isSure ? front : foldName(text)
  return words.length > comparedWordsMax ? [] : [...withoutForms(words)]
}

/** Removes a legal form that is misspelt or misplaced: `Lucky Otter Limted`, `Ltd Lucky Otter`. */
function withoutForms(words: readonly string[]): readonly string[] {
  const others: string[] = []
  for (let at = 0; at < words.length; ) {
    const word = words[at] as string
    const whole = formWordsAt(words, at)
    if (whole === 0 && !isLongLegalForm(word)) others.push(word)
    at += Math.max(whole, 1)
  }
  return others.length === 0 ? words : others
}

function isLongLegalForm(word: string): boolean {
  const letters = [...word]
  return (
    isFormInFront(word) ||
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

/** The alternatives for a word of the text: one word, two if a blank is missing, and longer words. */
type Slot = { meant: readonly (readonly string[])[]; longer: readonly string[] }

/** Compiles three tiers: whole names, words, and longer words that contain them; null without words. */
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
      beginnings: [],
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

/** Returns readings with two neighbours or all words joined, if such a word or a similar one is stored. */
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
