import { Type } from 'typebox'
import type { Static } from '../../core/operation.ts'
import { closed, instant, nullable, oneOf } from '../../core/schema.ts'
import { domainEntry } from '../domain-entry.ts'

const text = nullable(Type.String())
const count = nullable(Type.Integer())

const reasons = [
  'not_resolved',
  'source_temporarily_unavailable',
  'source_unavailable',
  'response_too_large',
] as const

const firmographicsData = Type.Object(
  {
    name: text,
    description: text,
    industry: text,
    company_size: nullable(Type.Array(Type.Integer()), { description: 'How many work there: from, to.' }),
    employee_count: count,
    founded_year: count,
    headquarters: nullable(
      Type.Object({ city: text, region: text, country: text, postal_code: text }, closed),
    ),
    website: text,
    linkedin_url: text,
  },
  { ...closed, named: 'Firmographics' },
)

export type FirmographicsData = Static<typeof firmographicsData>

/** What is known of the organisation behind one Domain (§2.5). */
export const firmographicsResult = Type.Object(
  {
    domain: domainEntry,
    available: Type.Boolean({ description: 'Whether `data` is there; only then it is charged.' }),
    cached: Type.Boolean({ description: 'Whether it was held before this request.' }),
    stale: Type.Boolean({
      description: 'Whether it is older than `max_age_days`, or than a year where that is not sent.',
    }),
    reason: nullable(oneOf(reasons, { named: 'FirmographicsReason' }), {
      description: 'Why it is not available; null when it is.',
    }),
    fetched_at: nullable(instant(), { description: 'When the source said so; null when nothing is held.' }),
    refresh: Type.Object(
      {
        attempted: Type.Boolean(),
        status: oneOf(['not_attempted', 'completed', 'failed']),
        reason: nullable(oneOf(reasons, { named: 'FirmographicsReason' }), {
          description: 'Why a refresh that `max_age_days` called for did not take place, or failed.',
        }),
        attempted_at: nullable(instant()),
      },
      closed,
    ),
    data: nullable(firmographicsData),
  },
  { ...closed, named: 'FirmographicsResult' },
)

export type FirmographicsResult = Static<typeof firmographicsResult>
