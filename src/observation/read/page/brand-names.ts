/** The names of brands in lists, from the phrases of their rules. */
import type { Brand } from './brand-lists.ts'
import { pageWords } from './page-words.ts'
import { PhraseIndex } from './phrase-index.ts'
import type { Condition, Rule } from './rule.ts'

/** Names by which the values of a file are listed. */
export function brandNames(rules: readonly Rule[], file: string): PhraseIndex<Brand> {
  const named = rules.filter(({ rule }) => rule.startsWith(`${file}/`)).map(namesOf)
  const owners = new Map(
    named.flatMap(({ rule, certain }) => certain.map(name => [wordsOf(name), rule] as const)),
  )
  const index = new PhraseIndex<Brand>()
  for (const { rule, certain, uncertain } of named) {
    for (const name of certain)
      if (!namesAnother(pageWords(name), rule, owners)) index.add(name, { rule, isCertain: true })
    for (const name of uncertain) if (!owners.has(wordsOf(name))) index.add(name, { rule, isCertain: false })
  }
  return index
}

/** `skrill sofort`: a row of two names shows Sofort in a sentence; in a list each is a name of its own. */
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

/** The first of several conditions is the brand's own name, which another condition must support. */
function namesOf({ rule, value, condition }: Rule) {
  const alternatives = 'any' in condition ? condition.any : [condition]
  const phrasesOf = (each: Condition | undefined): string[] => {
    const [kind, operand] = Object.entries(each ?? {})[0] ?? []
    return nameKinds.has(kind ?? '') ? (operand as string[]) : []
  }
  const certain = alternatives.flatMap(phrasesOf)
  const name = String(value.normalized_name ?? value.normalized_provider_name)
  const listed = alternatives.flatMap(each => ('listed' in each ? each.listed : []))
  const supported = alternatives.flatMap(each => ('all' in each ? phrasesOf(each.all[0]) : []))
  const shortened = [name, ...certain].flatMap(withoutKind)
  return { rule, certain, uncertain: [name, ...listed, ...supported, ...shortened] }
}

const kindsOfCompany = new Set(
  [
    'gaming games game studio studios interactive entertainment',
    'technology technologies software live digital',
  ].flatMap(words => words.split(' ')),
)

/** Lists have `Iron Dog` for Iron Dog Studio. A single word that is left is an ordinary one: `Net`, `Core`. */
function withoutKind(name: string): string[] {
  const words = pageWords(name)
  return words.length > 2 && kindsOfCompany.has(words.at(-1) as string) ? [words.slice(0, -1).join(' ')] : []
}
