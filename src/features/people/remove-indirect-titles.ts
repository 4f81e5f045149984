/** Takes out of a title what does not say who somebody is (borrowed-titles.ts), so that no key finds him for it. */
import {
  advised,
  adviserCompounds,
  advisers,
  assistants,
  deputies,
  deputyAdjectives,
  deputyWords,
  former,
  furtherAssistants,
  notHeldAtEnd,
  now,
  others,
  presidents,
} from './indirect-titles.ts'
import { anyOf, sourceWithinPart } from './title-pattern.ts'

const within = (words: string) => sourceWithinPart(`(${words})`)
const anyWithin = (languages: Record<string, string>) => within(Object.values(languages).join('|'))

const word = '(?: [^ ,|]+)'
const endOfPart = '(?= [,|]|$)'
/** Of two offices that are joined so each is named for itself: `Deputy Chairman and CEO`. */
const joins = within('and|or|und|oder|et|ou|y|e|ed|en|i|oraz|a|och|og|ja|si|και|и|та|й|і')
const ownWord = `(?:(?!${joins})${word})`

/** What somebody was ends where it is said what he is. */
const restOfPart = `(?:(?!${within(now)})${word})*`
const anyFormer = Object.values(former).join('|')
const formers = new RegExp(
  `(?:${within(anyFormer)}|${others.map(sourceWithinPart).join('|')})${restOfPart}`,
  'g',
)
const formerBefore = new RegExp(
  `(?:${word}+ ,|${ownWord}+?)${within(`${anyFormer}|${notHeldAtEnd}`)}${endOfPart}`,
  'g',
)

/** `CEO's`, and as Finland and Sweden write it. */
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

/** Without what somebody was or wants to be, and without those whom he advises. */
export function withoutFormer(words: string): string {
  return blanked(blanked(blanked(words, formerBefore), formers), adviserParts)
}

export const withoutAssistants = (words: string): string => blanked(words, assistantParts)

/** Finds the deputies of those who bear a title that one of these patterns describes. */
export function deputiesOf(patterns: readonly string[]): RegExp {
  const office = `(?:${anyOf(patterns).source})`
  const before = `${anyWithin(deputies)}(?:${within('a la|a l|a')})?(?:(?!${within(presidents)})${ownWord}){0,3}?${office}`
  const behind = `${office}${ownWord}{0,2}?${within(deputyAdjectives)}`
  const atEnd = `${office}${genitive}(?: ,)?${anyWithin(deputies)}${endOfPart}`
  return new RegExp(`${before}|${behind}|${atEnd}|${within(deputyWords)}`, 'g')
}

/** Takes matches out and leaves everything else where it stands; nothing matches across the gap. */
export function blanked(words: string, unwanted: RegExp): string {
  return words.replaceAll(unwanted, found => ` ${'|'.repeat(found.length - 1)}`)
}
