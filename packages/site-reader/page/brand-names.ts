/** Reads from the rules of a file under which names pages show its brands. */
import type { Brand, BrandRank } from './brand-lists.ts'
import { pageWords } from './page-words.ts'
import { PhraseIndex } from './phrase-index.ts'
import type { Condition, Rule } from './rule.ts'

export type BrandNames = { rule: string; names: Record<BrandRank, string[]>; phrases: string[] }

export const namesOfFile = (rules: readonly Rule[], file: string): BrandNames[] =>
  rules.filter(({ rule }) => rule.startsWith(`${file}/`)).map(namesOf)

/** Returns the names by which lists, tiles and labels show brands. */
export function brandNames(named: readonly BrandNames[]): PhraseIndex<Brand> {
  const owners = ownersOf(named, ['certain'])
  const index = new PhraseIndex<Brand>()
  for (const { rule, names } of named) {
    for (const name of names.certain)
      if (!namesAnother(pageWords(name), rule, owners)) index.add(name, { rule, rank: 'certain' })
    for (const rank of ['listed', 'ordinary', 'short'] as const)
      for (const name of names[rank]) if (!owners.has(wordsOf(name))) index.add(name, { rule, rank })
  }
  return index
}

/** Returns the phrases that name several brands, such as `visa mastercard`. */
export function pairsOf(named: readonly BrandNames[]): string[] {
  const owners = ownersOf(named, ['certain', 'listed', 'ordinary'])
  return named.flatMap(({ rule, phrases }) =>
    phrases.filter(phrase => namesAnother(pageWords(phrase), rule, owners)).map(wordsOf),
  )
}

const ownersOf = (named: readonly BrandNames[], ranks: readonly BrandRank[]): ReadonlyMap<string, string> =>
  new Map(
    named.flatMap(({ rule, names }) =>
      ranks.flatMap(rank => names[rank].map(name => [wordsOf(name), rule] as const)),
    ),
  )

/**
 * Detects a name that contains another brand's, such as `skrill sofort`. In a list each part is a separate
 * name.
 */
function namesAnother(words: readonly string[], rule: string, owners: ReadonlyMap<string, string>): boolean {
  const starts = words.keys().toArray()
  return starts.some(start =>
    starts.some(length => {
      const owner = length === 0 ? undefined : owners.get(words.slice(start, start + length).join(' '))
      return owner !== undefined && owner !== rule
    }),
  )
}

const wordsOf = (name: string) => pageWords(name).join(' ')
const nameKinds = new Set(['icon', 'label', 'text', 'payment_text'])
const textKinds = new Set(['text', 'payment_text'])

/**
 * Returns the names of a brand. The first condition of `all` has its own name, which another condition must
 * support.
 */
function namesOf({ rule, value, condition }: Rule): BrandNames {
  const alternatives = 'any' in condition ? condition.any : [condition]
  const phrasesOf = (each: Condition | undefined, kinds = nameKinds): string[] => {
    const [kind, operand] = Object.entries(each ?? {})[0] ?? []
    return kinds.has(kind ?? '') ? (operand as string[]) : []
  }
  const certain = alternatives.flatMap(each => phrasesOf(each))
  const name = String(value.normalized_name ?? value.normalized_provider_name)
  const listed = alternatives.flatMap(each => ('listed' in each ? each.listed : []))
  const supported = alternatives.flatMap(each => ('all' in each ? phrasesOf(each.all[0]) : []))
  const shortened = [name, ...certain].map(withoutKind).filter(words => words.length > 0)
  const joined = (words: readonly string[]) => words.join(' ')
  return {
    rule,
    names: {
      certain,
      listed,
      ordinary: [name, ...supported, ...shortened.filter(words => words.length > 1).map(joined)],
      short: shortened.filter(words => words.length === 1).map(joined),
    },
    phrases: alternatives.flatMap(each => phrasesOf(each, textKinds)),
  }
}

const kindsOfCompany = new Set(
  [
    'gaming games game studio studios interactive entertainment',
    'technology technologies software live digital',
  ].flatMap(words => words.split(' ')),
)

/** Shortens Iron Dog Studio to `Iron Dog`, as lists do, and Relax Gaming to `Relax`. */
function withoutKind(name: string): string[] {
  const words = pageWords(name)
  return words.length > 1 && kindsOfCompany.has(words.at(-1) as string) ? words.slice(0, -1) : []
}
