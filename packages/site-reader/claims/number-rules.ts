/** Loads the forms of license numbers by market from rules/license-numbers.yaml. */
import { findMarket } from '@baize/names'
import { readRuleFile } from '../read-rule-file.ts'
import { compileShape, type NumberShape } from './number-shape.ts'
import { wordsOfSentence } from './place-words.ts'

/** The folded words of a phrase. */
export type Phrase = readonly string[]

/** Phrases by their last word. */
export type EndingPhrases = ReadonlyMap<string, readonly Phrase[]>

export type NumberRule = {
  market: string
  /** The index among the market's shapes. */
  index: number
  shape: NumberShape
  /** Is true if the nearest regulator's name must be the market's. */
  isNamed: boolean
  /** Phrases of which one must precede the number; null if any text may. */
  after: EndingPhrases | null
  with: readonly Phrase[] | null
  /** Numbers of laws, with or without their year, which are never license numbers. */
  never: readonly string[]
}

type RegulatorName = { market: string; name: Phrase }

export type NumberRules = {
  rules: readonly NumberRule[]
  names: readonly RegulatorName[]
  /** Phrases that precede a number, such as `licence number`. */
  numberWords: EndingPhrases
  /** The last words of all phrases that may precede a number. */
  leadWords: ReadonlySet<string>
}

type DeclaredNumber = { shape: string; named?: true; after?: string[]; with?: string[]; never?: string[] }
type Declared = {
  number_words: string[][]
  regulators: Record<string, string[]>
  markets: Record<string, { names: string[]; numbers: DeclaredNumber[] }>
}

export const phrasesOf = (texts: readonly string[]): Phrase[] => texts.map(wordsOfSentence)

const byLastWord = (phrases: readonly Phrase[]): EndingPhrases =>
  Map.groupBy(phrases, phrase => phrase.at(-1) as string)

function readNumberRules(): NumberRules {
  const declared = readRuleFile<Declared>('license-numbers')
  const numberWords = phrasesOf(declared.number_words.flat())
  const markets = Object.entries(declared.markets)
  const names = [
    ...Object.entries(declared.regulators),
    ...markets.map(([market, ofMarket]) => [market, ofMarket.names] as const),
  ]
  for (const [market] of names)
    if (findMarket(market) === undefined) throw new Error(`license-numbers.yaml: no market "${market}"`)
  const after = markets.flatMap(([, { numbers }]) => numbers.flatMap(number => phrasesOf(number.after ?? [])))
  return {
    numberWords: byLastWord(numberWords),
    leadWords: new Set(byLastWord([...after, ...numberWords]).keys()),
    names: names.flatMap(([market, ofMarket]) => phrasesOf(ofMarket).map(name => ({ market, name }))),
    rules: markets.flatMap(([market, { numbers }]) =>
      numbers.map((number, index) => ({
        market,
        index,
        shape: compileShape(number.shape),
        isNamed: number.named === true,
        after: number.after === undefined ? null : byLastWord([...phrasesOf(number.after), ...numberWords]),
        with: number.with === undefined ? null : phrasesOf(number.with),
        never: number.never ?? [],
      })),
    ),
  }
}

export const numberRules: NumberRules = readNumberRules()
