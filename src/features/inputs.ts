/** Parameters that operations of several nouns take. */
import { Type } from 'typebox'
import { domainInputCharactersMax, readDomain } from '../core/domain-name.ts'
import { Failure } from '../core/failure.ts'
import { market } from './words.ts'

/** How every operation takes a domain: brought to one spelling by `canonicalDomain`. */
export const domainInput = (description: string) =>
  Type.String({
    minLength: 1,
    maxLength: domainInputCharactersMax,
    description,
    examples: ['luckyotter.example'],
  })

/** The canonical registrable domain of what was sent, or 400 `invalid_domain` with the reason. */
export function canonicalDomain(
  input: string,
  { parameter, takes } = { parameter: 'domain', takes: 'a URL or host with a registrable domain' },
): string {
  const reading = readDomain(input)
  if (reading.ok) return reading.domain
  throw new Failure('invalid_domain', { details: { parameter, reason: reading.problem, takes } })
}

const numberCharactersMax = 200

/** A text that is not all blanks. */
export const wordsInput = (charactersMax: number, description: string, example: string) =>
  Type.String({ minLength: 1, maxLength: charactersMax, pattern: '\\S', description, examples: [example] })

export const licenseNumberInput = wordsInput(
  numberCharactersMax,
  'As the register prints it; case, blanks and the version counter of a UKGC number do not count.',
  '099101-R-339101-004',
)

export const maxCredits = Type.Integer({
  minimum: 0,
  maximum: 1_000_000_000,
  description:
    'The most that this whole request may cost, in credits; a dearer one is refused (402) before anything is charged.',
})

/** One value of the market set (§2.2). */
export const marketInput = (description: string) => market({ description })
