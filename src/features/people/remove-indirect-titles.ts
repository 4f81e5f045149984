import {
  advised,
  adviserCompounds,
  advisers,
  assistants,
  deputies,
  deputyAdjectives,
  deputyWords,
  former,
  formerAtEnd,
  furtherAssistants,
  now,
  others,
  presidents,
} from './indirect-titles.ts'
import { anyOf, sourceWithinPart } from './title-pattern.ts'

const within = (words: string) => sourceWithinPart(`(${words})`)
const anyWithin = (languages: Record<string, string>) => within(Object.values(languages).join('|'))

const word = '(?: [^ ,|]+)'
const endOfPart = '(?= [,|]|$)'
const joins = within('and|or|und|oder|et|ou|y|e|ed|en|i|oraz|a|och|og|ja|si|και|и|та|й|і')
/** No conjunction. */
export const ownWord = `(?:(?!${joins})${word})`

/** Up to the end of the part, or to a word such as "now". */
const restOfPart = `(?:(?!${within(now)})${word})*`
const anyFormer = Object.values(former).join('|')
const formers = new RegExp(
  `(?:${within(anyFormer)}|${others.map(sourceWithinPart).join('|')})${restOfPart}`,
  'g',
)
const formerBefore = new RegExp(
  `(?:${word}+ ,|${ownWord}+?)${within(`${anyFormer}|${formerAtEnd}`)}${endOfPart}`,
  'g',
)

const genitive = '(?: (?:s|n))?'
const advising = Object.values(advisers).map(
  ({ words, to }) =>
    `${within(words)}${ownWord}{0,2}?${to === '' ? '' : `${within(to)}(?:${within('the|la|le|l|el|il|lo|o|a|het|de|den|dem|group|lui')})?`}`,
)
const adviserParts = new RegExp(
  `(?:${within('adviser|advisor|advising|consultant|coach|coaching|mentor')} to(?![^ ])|(?:${advising.join('|')})${within(advised)}|${within('ceo|cto|coo|cfo|cmo|vd|pdg|geschaftsfuhrer*|vorstand*')}${genitive}${within(adviserCompounds)})${restOfPart}`,
  'g',
)

const assistantParts = new RegExp(
  `${word}*?(?:${[...Object.values(assistants).flat(), ...furtherAssistants].map(sourceWithinPart).join('|')})${word}*`,
  'g',
)

export function withoutFormer(words: string): string {
  return blanked(blanked(blanked(words, formerBefore), formers), adviserParts)
}

export const withoutAssistants = (words: string): string => blanked(words, assistantParts)

export function deputiesOf(patterns: readonly string[]): RegExp {
  const office = `(?:${anyOf(patterns).source})`
  const before = `${anyWithin(deputies)}(?:${within('a la|a l|a')})?(?:(?!${within(presidents)})${ownWord}){0,3}?${office}`
  const behind = `${office}${ownWord}{0,2}?${within(deputyAdjectives)}`
  const atEnd = `${office}${genitive}(?: ,)?${anyWithin(deputies)}${endOfPart}`
  return new RegExp(`${before}|${behind}|${atEnd}|${within(deputyWords)}`, 'g')
}

/** Replaces matches with `|` of equal length, so that no pattern matches across the gap. */
export function blanked(words: string, unwanted: RegExp): string {
  return words.replaceAll(unwanted, match => ` ${'|'.repeat(match.length - 1)}`)
}
