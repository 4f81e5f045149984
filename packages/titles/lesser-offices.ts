/** Matches offices below the head of a company, and ranks within an occupation (words/offices.yaml). */
import { endOfPart, ownWord, within } from './indirect-titles.ts'
import { anyOf } from './title-pattern.ts'
import { alternativesAt, namesAt, patternsAt } from './words.ts'

const withinOffices = (name: string) => within(alternativesAt(`offices.${name}`))

/** Matches offices that lead less than a company: `Gérant de restaurant`, `Medical Director`. */
export function lesserOffices(): RegExp {
  const leader = `${withinOffices('leaders')}(?:${withinOffices('general')})?`
  const sources = [
    `${leader}(?:${withinOffices('of')})?${withinOffices('led')}${endOfPart}`,
    `${withinOffices('before')}${leader}`,
    `${leader}${withinOffices('behind')}`,
    `${withinOffices('managers')}${withinOffices('managers_of')}(?!${withinOffices('company')})`,
    anyOf(patternsAt('offices.compounds')).source,
  ]
  return new RegExp(sources.map(source => `(?:${source})`).join('|'), 'g')
}

/** Matches chiefs of one function, who do not lead the company: `Directeur général des opérations`. */
export function chiefsOfFunction(): RegExp {
  const functions = namesAt('functions')
    .filter(name => name !== 'games' && name !== 'trading')
    .flatMap(name => patternsAt(`functions.${name}.words`))
  const chief = `${withinOffices('chiefs')}(?:${withinOffices('of')})?`
  return new RegExp(`${chief}(?=${anyOf(functions).source})`, 'g')
}

/**
 * Matches ranks in an occupation: `Lead Brand Designer`, `Head Gardener`. `Chief Technologist` is an
 * office, so a word must follow `chief`.
 */
export function gradedOccupations(): RegExp {
  const occupation = withinOffices('occupations')
  const sources = [
    `${within('lead|head')}${ownWord()}{0,3}?${occupation}`,
    `${within('chief')}${ownWord()}{1,3}?${occupation}`,
    `${within('head')}${withinOffices('crafts')}`,
  ]
  return new RegExp(sources.join('|'), 'g')
}
