import build from 'fast-json-stringify'
import { Type } from 'typebox'
import type { Static } from '../../core/operation.ts'
import { closedObject, instant, namedObject, nullable, oneOf } from '../../core/schema.ts'
import { domainEntry } from '../domain-entry.ts'

const text = nullable(Type.String())
const count = nullable(Type.Integer())

const reasons = [
  'not_resolved',
  'source_temporarily_unavailable',
  'source_unavailable',
  'response_too_large',
] as const

const firmographicsData = namedObject('Firmographics', {
  name: text,
  description: text,
  industry: text,
  company_size: nullable(Type.Array(Type.Integer()), { description: 'Range of the headcount: from, to.' }),
  employee_count: count,
  founded_year: count,
  headquarters: nullable(closedObject({ city: text, region: text, country: text, postal_code: text })),
  website: text,
  linkedin_url: text,
})

export type FirmographicsReason = (typeof reasons)[number]
export type FirmographicsData = Static<typeof firmographicsData>

/** The result of a refresh, of firmographics or of contacts. */
export const refreshResult = closedObject({
  attempted: Type.Boolean(),
  status: oneOf(['not_attempted', 'completed', 'failed']),
  reason: nullable(oneOf(reasons, { named: 'FirmographicsReason' }), {
    description:
      'Why a refresh required by `max_age_days` was not attempted or failed. ' +
      '`not_resolved`: no source knows the Domain.',
  }),
  attempted_at: nullable(instant()),
})

/** The firmographics of one Domain (§2.5). */
export const firmographicsResult = namedObject('FirmographicsResult', {
  domain: domainEntry,
  available: Type.Boolean({
    description: 'Whether `data` is present. Only available results are charged.',
  }),
  cached: Type.Boolean({ description: 'Whether it was stored before this request.' }),
  stale: Type.Boolean({
    description: 'Whether it is older than `max_age_days`, or than a year if that is not sent.',
  }),
  reason: nullable(oneOf(reasons, { named: 'FirmographicsReason' }), {
    description: 'Why it is not available; null if it is.',
  }),
  fetched_at: nullable(instant(), {
    description: 'When the data was fetched from its source; null if none is stored.',
  }),
  refresh: refreshResult,
  data: nullable(firmographicsData),
})

export type FirmographicsResult = Static<typeof firmographicsResult>

const write = build(Type.Array(firmographicsResult) as unknown as build.AnySchema)

/** Writes firmographics as JSON; members that the schema does not declare are omitted. */
export function stringifyFirmographics(results: readonly FirmographicsResult[]): string {
  return write(results)
}
