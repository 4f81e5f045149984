/**
 * Finds names that are ordinary words, but are written as names in a sentence: Evolution in "NetEnt, Betsoft
 * and Evolution fill our lobby", iDEAL in "Deposits by iDEAL".
 */
import { type Brand, fillers, isClear, type ListedBrand, preferred } from './brand-lists.ts'
import type { CompiledRules } from './compile-rules.ts'
import type { WordMarks } from './name-checks.ts'
import type { BrandKind } from './page-fields.ts'
import { hasStudioHeading } from './payment-page.ts'
import type { PhraseIndex } from './phrase-index.ts'
import { isStudioPreposition } from './studio-tiles.ts'
import { isAboutPayments, type Sentence, type TextSentences } from './text-sentences.ts'

type Link = { brand: Brand; start: number; end: number }
type Named = { sentence: Sentence; marks: WordMarks; kind: BrandKind; links: readonly Link[] }

const accepted = new Set(['certain', 'listed'] as const)
const gapWordsMax = 1
/** The prose of real pages is shorter. */
const charactersMax = 50_000

export function chainedBrands(
  sentences: readonly TextSentences[],
  { studios, methods }: CompiledRules['brands'],
): ListedBrand[] {
  let characters = 0
  return sentences.flatMap(({ offering, payments }) => {
    characters += offering.reduce((sum, { text }) => sum + text.length, 0)
    if (characters > charactersMax) return []
    return [
      ...offering.flatMap(sentence => namedIn(sentence, studios, 'studios')),
      ...payments.flatMap(sentence => namedIn(sentence, methods, 'methods')),
    ]
  })
}

function namedIn(sentence: Sentence, brands: PhraseIndex<Brand>, kind: BrandKind): ListedBrand[] {
  const found = linksIn(sentence.words, brands)
  const marks = found.length === 0 ? null : sentence.marks
  if (marks === null) return []
  const links = found.filter(({ start }) => !marks.lower.has(start))
  const named: Named = { sentence, marks, kind, links }
  return links
    .filter((link, index) => isBesideClear(index, named) || isNamedAlone(link, named))
    .map(({ brand }) => ({ rule: brand.rule, snippet: sentence.text }))
}

function isBesideClear(index: number, { links, sentence }: Named): boolean {
  const link = links[index] as Link
  const beside = [links[index - 1], links[index + 1]].filter(
    other =>
      other !== undefined && other.brand.rule !== link.brand.rule && areBeside(link, other, sentence.words),
  )
  return beside.some(other => other?.brand.rank === 'certain' || beside.length > 1)
}

/** A method has a capital within a sentence about payments. A studio follows `by`, or "Providers:". */
function isNamedAlone({ brand, start }: Link, { sentence, marks, kind }: Named): boolean {
  if (!isClear(brand)) return false
  if (kind === 'methods')
    return isAboutPayments(sentence) && (marks.inner.has(start) || (start > 0 && !marks.ends.has(start)))
  if (marks.bracketed.has(start)) return true
  if (isStudioPreposition(sentence.words[start - 1] ?? '')) return true
  return marks.borders.has(start) && hasStudioHeading(sentence.words.slice(0, start))
}

function linksIn(words: readonly string[], brands: PhraseIndex<Brand>): Link[] {
  const links: Link[] = []
  for (let start = 0; start < words.length; ) {
    const found = brands.longestAt(words, start)
    const brand = found === null ? null : preferred(found.payloads, accepted)
    if (found !== null && brand !== null) links.push({ brand, start, end: found.end })
    start = found !== null && brand !== null ? found.end : start + 1
  }
  return links
}

function areBeside(one: Link, other: Link, words: readonly string[]): boolean {
  const [first, second] = one.start < other.start ? [one, other] : [other, one]
  const between = words.slice(first.end, second.start)
  return between.length <= gapWordsMax && between.every(word => fillers.has(word))
}
