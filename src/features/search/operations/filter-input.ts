/** Declares the parameters that both searches accept (§4.4, §4.5, §4.10, §4.11). */

import { licenseStatuses, normaliseStatus } from '@baize/registers/entries'
import { type TProperties, Type } from 'typebox'
import { wrongValue } from '../../../core/failure.ts'
import { closedObject } from '../../../core/schema.ts'
import { canonicalDomain, domainInput, marketInput, maxCredits } from '../../inputs.ts'
import { pagingInput } from '../../paging.ts'

export const pageSizeDefault = 20
const pageSizeMax = 100
const textCharactersMin = 2
const textCharactersMax = 200

export const filterInput = {
  q: Type.Optional(
    Type.String({
      minLength: textCharactersMin,
      takes: textTakes(textCharactersMin, textCharactersMax),
      description:
        `Free text, ${textCharactersMin} to ${textCharactersMax} characters, not counting blanks at ` +
        `its ends.`,
    }),
  ),
  domain: Type.Optional(domainInput('A site, reduced to its registrable domain.')),
  jurisdiction: Type.Optional(marketInput('A market code, such as `ukgc`.')),
  license_status: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: textCharactersMax,
      named: 'LicenseStatus',
      known: licenseStatuses,
      description:
        'The status of a license in its register, in any spelling. A status that only some register ' +
        'publishes is accepted, too.',
    }),
  ),
}

export const searchPageInput = {
  page: pagingInput.page,
  page_size: Type.Optional(Type.Integer({ minimum: 1, maximum: pageSizeMax, default: pageSizeDefault })),
  after: pagingInput.after,
  max_credits: Type.Optional(maxCredits),
}

export const echoedFilters = <Filters extends TProperties>(filters: Filters, description: string) =>
  closedObject(filters, { description })

/** The validated filters by parameter. */
export type SearchFilters = {
  q?: string
  domain?: string
  license_status?: string
  [name: string]: string | number | boolean | undefined
}

/** Trims blanks, and writes domain and status as they are stored. */
export function canonicalFilters<Input extends SearchFilters>(input: Input): Input {
  const { q, domain, license_status: status } = input
  return {
    ...input,
    ...(q === undefined ? {} : { q: trimmedText('q', q, textCharactersMin, textCharactersMax) }),
    ...(domain === undefined ? {} : { domain: canonicalDomain(domain) }),
    ...(status === undefined ? {} : { license_status: normaliseStatus(status) ?? '' }),
  }
}

/** Trims a text. Fails with 400 if it has too few or too many Unicode characters. */
export function trimmedText(parameter: string, text: string, min: number, max: number): string {
  const trimmed = text.trim()
  const characters = [...trimmed].length
  if (characters < min || characters > max) throw wrongValue(parameter, textTakes(min, max))
  return trimmed
}

export function textTakes(min: number, max: number): string {
  return `text of ${min} to ${max} characters, not counting blanks at its ends`
}
