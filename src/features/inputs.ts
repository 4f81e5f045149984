import { type DomainProblem, domainInputCharactersMax, domainProblemWords, readDomain } from '@baize/names'
import { Type } from 'typebox'
import { Failure } from '../core/failure.ts'
import { market } from './value-sets.ts'

/** Describes a domain parameter, which `canonicalDomain` normalises. */
export const domainInput = (description: string) =>
  Type.String({
    minLength: 1,
    maxLength: domainInputCharactersMax,
    description,
    examples: ['luckyotter.example'],
  })

const takesDomain = 'a URL or host with a registrable domain'

export const domainProblemMessage = (problem: DomainProblem, takes = takesDomain): string =>
  `The value ${domainProblemWords[problem]}. Send ${takes}.`

export function canonicalDomain(
  input: string,
  { parameter, takes } = { parameter: 'domain', takes: takesDomain },
): string {
  const reading = readDomain(input)
  if (reading.ok) return reading.domain
  const { problem: reason } = reading
  throw new Failure('invalid_domain', {
    message: domainProblemMessage(reason, takes),
    details: { parameter, reason, takes },
  })
}

const numberCharactersMax = 200

export const wordsInput = (charactersMax: number, description: string, example: string) =>
  Type.String({ minLength: 1, maxLength: charactersMax, pattern: '\\S', description, examples: [example] })

export const licenseNumberInput = wordsInput(
  numberCharactersMax,
  'As the register prints it. Case, spaces and the version counter of a UKGC number are ignored.',
  '099101-R-339101-004',
)

export const licenseSourceWords =
  'The entry in the public register; where entries have no page of their own, the page of the register. ' +
  'null: imported without one.'

export const maxCredits = Type.Integer({
  minimum: 0,
  maximum: 1_000_000_000,
  description:
    'Maximum credits for the whole request. If it would cost more, it fails with 402 and charges nothing.',
})

/** The highest `max_age_days` for evidence about a site. */
export const evidenceAgeDaysMax = 3_650

export const marketInput = (description: string) => market({ description })
