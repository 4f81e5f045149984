/** Removes titles that name an office which the person does not have (words/indirect.yaml). */
import { anyOf, sourceWithinPart } from './title-pattern.ts'
import { alternativesAt, namesAt, patternsAt, textAt } from './words.ts'

export const within = (words: string): string => sourceWithinPart(`(${words})`)
export const endOfPart = '(?= [,|]|$)'

const word = '(?: [^ ,|]+)'
const genitive = '(?: (?:s|n))?'

const withinIndirect = (...names: string[]) =>
  within(names.map(name => alternativesAt(`indirect.${name}`)).join('|'))

/** Matches a word of the same office, which is any word but a conjunction. */
export const ownWord = (): string => `(?:(?!${withinIndirect('conjunctions')})${word})`

/** Matches up to the end of the part, or up to a word such as "now". */
const restOfPart = () => `(?:(?!${withinIndirect('now')})${word})*`

const sources = (path: string) => patternsAt(path).map(sourceWithinPart).join('|')

export type IndirectTitles = {
  /** Removes past and desired offices, and the offices of an advised person. */
  withoutFormer(words: string): string
  /** Removes the offices of an assisted person. */
  withoutAssistants(words: string): string
}

export function compileIndirectTitles(): IndirectTitles {
  const before = withinIndirect('former', 'former_at_end')
  const formerBefore = new RegExp(`(?:${word}+ ,|${ownWord()}+?)${before}${endOfPart}`, 'g')
  const formers = new RegExp(
    `(?:${withinIndirect('former')}|${sources('indirect.others')})${restOfPart()}`,
    'g',
  )
  const advisers = adviserParts()
  const assistants = new RegExp(`${word}*?(?:${sources('indirect.assistants')})${word}*`, 'g')
  return {
    withoutFormer: words => [formerBefore, formers, advisers].reduce(blanked, words),
    withoutAssistants: words => blanked(words, assistants),
  }
}

function adviserParts(): RegExp {
  const advising = namesAt('indirect.advisers').map(language => {
    const adviser = `${withinIndirect(`advisers.${language}.words`)}${ownWord()}{0,2}?`
    const to = textAt(`indirect.advisers.${language}.to`)
    return to === '' ? adviser : `${adviser}${within(to)}(?:${withinIndirect('adviser_articles')})?`
  })
  const parts = [
    // Matches advisers of anybody in English, such as `Advisor to startups`.
    `${withinIndirect('advisers.en.words')} to(?![^ ])`,
    `(?:${advising.join('|')})${withinIndirect('advised')}`,
    `${withinIndirect('compound_advised')}${genitive}${withinIndirect('adviser_compounds')}`,
  ]
  return new RegExp(`(?:${parts.join('|')})${restOfPart()}`, 'g')
}

/** Matches deputies of the offices, such as `Deputy CEO`. */
export function deputiesOf(patterns: readonly string[]): RegExp {
  const office = `(?:${anyOf(patterns).source})`
  const deputy = withinIndirect('deputies')
  const to = `(?:${withinIndirect('deputy_to')})?`
  const noPresident = `(?:(?!${withinIndirect('presidents')})${ownWord()})`
  const sources = [
    `${deputy}${to}${noPresident}{0,3}?${office}`,
    `${office}${ownWord()}{0,2}?${withinIndirect('deputy_adjectives')}`,
    `${office}${genitive}(?: ,)?${deputy}${endOfPart}`,
    withinIndirect('deputy_compounds'),
  ]
  return new RegExp(sources.join('|'), 'g')
}

/** Replaces matches with `|` of equal length, so that no pattern matches across the gap. */
export function blanked(words: string, unwanted: RegExp): string {
  return words.replaceAll(unwanted, match => ` ${'|'.repeat(match.length - 1)}`)
}
