/** Which links lead to an affiliate programme, by their words and hosts (rules/link-words.yaml). */
import { readFileSync } from 'node:fs'
import { parse } from 'yaml'
import { readDomain } from '../../../core/domain-name.ts'
import { isSharedHost } from '../../../core/shared-hosts.ts'
import type { PageLink } from '../page/page-fields.ts'
import { pageWords } from '../page/page-words.ts'
import { PhraseIndex } from '../page/phrase-index.ts'

type ByLanguage = Record<string, readonly string[]>
export type LinkWords = {
  words: ByLanguage
  alone: ByLanguage
  never: readonly string[]
  host_labels: readonly string[]
  host_endings: readonly string[]
}

export function readLinkWords(): LinkWords {
  const text = readFileSync(new URL('../../rules/link-words.yaml', import.meta.url), 'utf8')
  return (parse(text) as { affiliate_program: LinkWords }).affiliate_program
}

/** A longer text is a sentence or a headline. */
const charactersMax = 60

const declared = readLinkWords()
const phrasesOf = (texts: readonly string[]): PhraseIndex<true> => {
  const index = new PhraseIndex<true>()
  for (const text of texts) index.add(text, true)
  return index
}
const programs = phrasesOf(Object.values(declared.words).flat())
const never = phrasesOf(declared.never)
const alone = new Set(
  Object.values(declared.alone)
    .flat()
    .map(text => pageWords(text).join(' ')),
)
const hostLabels = new Set(declared.host_labels)

export function namesProgram({ text, host }: PageLink, ownHost: string): boolean {
  const words = text.length > charactersMax ? [] : pageWords(text)
  if (words.length === 0 || never.has(words)) return false
  return programs.has(words) || (host !== ownHost && alone.has(words.join(' ')))
}

/** `partners.luckyotter.example`, `luckyotterpartners.example`. */
export function isProgramHost({ host }: PageLink, domain: string): boolean {
  const labels = host.split('.')
  if (labels.length < 2 || (labels[0] === 'www' && labels.length === 2)) return false
  const reading = readDomain(host)
  if (!reading.ok || isSharedHost(reading.domain)) return false
  const front = host.slice(0, Math.max(0, host.length - reading.domain.length - 1)).split('.')
  if (front.some(label => hostLabels.has(label))) return true
  const [name, brand] = [nameOf(reading.domain), nameOf(domain)]
  return (
    name !== brand && name.startsWith(brand) && declared.host_endings.some(ending => name.endsWith(ending))
  )
}

/** `lucky-otter.example` is written `luckyotter` elsewhere. */
const nameOf = (domain: string) => (domain.split('.')[0] as string).replaceAll('-', '')
