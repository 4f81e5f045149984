/** Forms of license numbers by market, as rules/license-numbers.yaml declares them. */
import { readFileSync } from 'node:fs'
import { parse } from 'yaml'
import { findMarket } from '../../../core/markets.ts'
import { compileShape, type NumberShape } from './number-shape.ts'
import { wordsOf } from './place-words.ts'

/** Folded words. */
export type Phrase = readonly string[]

/** By their last word. */
export type EndingPhrases = ReadonlyMap<string, readonly Phrase[]>

export type NumberRule = {
  market: string
  /** Position among the market's shapes. */
  index: number
  shape: NumberShape
  /** The nearest regulator's name must be the market's. */
  isNamed: boolean
  /** One of these is before the number; null: anything. */
  after: EndingPhrases | null
  with: readonly Phrase[] | null
  /** Numbers of laws, with or without their year. */
  never: readonly string[]
}

type RegulatorName = { market: string; name: Phrase }

export type NumberRules = {
  rules: readonly NumberRule[]
  names: readonly RegulatorName[]
  /** Words before a number: `licence number`. */
  numberWords: EndingPhrases
  /** The last words of all phrases that are looked for before a number. */
  leadWords: ReadonlySet<string>
}

type DeclaredNumber = { shape: string; named?: true; after?: string[]; with?: string[]; never?: string[] }
type Declared = {
  number_words: string[][]
  regulators: Record<string, string[]>
  markets: Record<string, { names: string[]; numbers: DeclaredNumber[] }>
}

export function readClaimRules<Content>(file: string): Content {
  return parse(readFileSync(new URL(`../../rules/${file}`, import.meta.url), 'utf8')) as Content
}

export const phrasesOf = (texts: readonly string[]): Phrase[] => texts.map(wordsOf)

const byLastWord = (phrases: readonly Phrase[]): EndingPhrases =>
  Map.groupBy(phrases, phrase => phrase.at(-1) as string)

function readNumberRules(): NumberRules {
  const declared = readClaimRules<Declared>('license-numbers.yaml')
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
