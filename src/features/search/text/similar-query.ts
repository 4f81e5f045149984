/** What a text that nobody bears may have meant, as questions to the documents. Pure; evaluate.ts asks. */
import { editDistance } from '../../../core/edit-distance.ts'
import { formWordsAt, longFormWords } from '../../../core/legal-name.ts'
import { foldDomain, foldName, truncateKey } from '../../../core/search-text.ts'
import { joinedSign, quoted } from '../rows/document.ts'
import { comparedWordsMax, namesMax } from './similar-limits.ts'
import { canBeMisspelt, longerForms, misspelt, piecesOf, splitsOf } from './similar-words.ts'
import { both, domainOf, eitherOf, type TextQuery, tiers } from './text-query.ts'
import type { WordFound, WordsAsked } from './words-store.ts'

/** Two would take a cooperation for a corporation. */
const formErrorsMax = 1
/** Forms with an article, which stand in front of a name. */
const formsInFront: ReadonlySet<string> = new Set([
  'aktiebolaget',
  'aktieselskabet',
  'anpartsselskabet',
  'aksjeselskapet',
])

/** The words of a text that are compared; of a domain, what it is called. None: it is not compared. */
export function wordsOf(text: string): string[] {
  const domain = domainOf(text)
  const { words } = domain === null ? foldName(text) : foldDomain(domain)
  return words.length > comparedWordsMax ? [] : [...withoutForms(words)]
}

/** `Lucky Otter Limted`, `Ltd Lucky Otter`: a legal form misspelt or misplaced counts as little as one at the end. */
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

/** Neighbours with the blank between them left out, and the text as one word. */
function joinsOf(words: readonly string[]): string[] {
  const joins = words.slice(1).map((word, index) => `${words[index]}${word}`)
  return words.length > 2 ? [...joins, words.join('')] : joins
}

/** What has to be known of the vocabulary before the text can be compared. */
export function vocabularyAsked(words: readonly string[]): WordsAsked {
  const single = [...new Set(words)].filter(canBeMisspelt)
  const joins = joinsOf(words).filter(canBeMisspelt)
  const longer = [...new Set(words)].map(longerForms)
  return {
    known: [...new Set([...single.flatMap(word => splitsOf(word).flat()), ...joins])],
    pieces: [...new Set([...single, ...joins])].flatMap(word =>
      piecesOf(word).map(piece => ({ ...piece, of: word })),
    ),
    beginnings: longer.flatMap(({ beginning }) => beginning ?? []),
    parts: longer.flatMap(({ part }) => part ?? []),
  }
}

/** A place in the text, and what may stand there: each alternative is one word, or two with the blank forgotten. */
type Slot = { meant: readonly (readonly string[])[]; longer: readonly string[] }

/**
 * The text with each word replaced by the words that it could be, blanks forgotten or too many included. Three tiers: a
 * name that is so spelt, words that are, and words that contain what was typed. null: there is nothing to ask.
 */
export function compileSimilar(words: readonly string[], found: readonly WordFound[]): TextQuery | null {
  if (words.length === 0) return null
  const vocabulary = new Vocabulary(found)
  const slots = words.map(word => vocabulary.slotOf(word))
  const readings = [slots, ...joinedReadings(words, slots, vocabulary)]
  const asMeant = readings.map(reading => `(${both(reading.map(meantBy))})`).join(' | ')
  const names = [...new Set(readings.flatMap(namesOf))].slice(0, namesMax)
  const marked = new Set(readings.flat().flatMap(({ meant, longer }) => [...meant.flat(), ...longer]))
  return {
    tiers: [
      { tier: tiers.similarName, query: eitherOf(names.map(name => joinedSign + truncateKey(name))) },
      { tier: tiers.misspelt, query: asMeant },
      { tier: tiers.parts, query: both(slots.map(containing)) },
    ],
    rank: asMeant,
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

/** Each two neighbours read as one word, where there is such a word; and the whole text. */
function joinedReadings(words: readonly string[], slots: readonly Slot[], vocabulary: Vocabulary): Slot[][] {
  const readings: Slot[][] = []
  for (let at = 1; at < words.length; at += 1) {
    const joined = vocabulary.knownSlotOf(`${words[at - 1]}${words[at]}`)
    if (joined !== null) readings.push([...slots.slice(0, at - 1), joined, ...slots.slice(at + 1)])
  }
  const whole = words.length > 2 ? vocabulary.knownSlotOf(words.join('')) : null
  return whole === null ? readings : [...readings, [whole]]
}

/** Whole names that the reading may spell, joined; the likeliest first. */
function namesOf(slots: readonly Slot[]): string[] {
  let names = ['']
  for (const { meant } of slots)
    names = meant.flatMap(words => names.map(name => name + words.join(''))).slice(0, namesMax)
  return names
}

class Vocabulary {
  readonly #known = new Set<string>()
  readonly #candidates = new Map<string, { near: string[]; longer: string[] }>()

  constructor(found: readonly WordFound[]) {
    for (const { of, word, how } of found) {
      if (how === 'known') {
        this.#known.add(word)
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
    const splits = splitsOf(word).filter(parts => parts.every(part => this.#known.has(part)))
    const spelt = misspelt(word, near)
    const meant = [[word], ...spelt.map(other => [other]), ...splits]
    return { meant, longer: [...new Set(longer)].filter(other => !spelt.includes(other)).sort() }
  }

  /** null: neither the word nor one like it is known. */
  knownSlotOf(word: string): Slot | null {
    const { meant } = this.slotOf(word)
    const known = meant.filter(([first]) => first !== word || this.#known.has(word))
    return known.length === 0 ? null : { meant: known, longer: [] }
  }
}
