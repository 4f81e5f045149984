import { Type } from 'typebox'
import { closed, instant, nullable, oneOf } from '../../core/schema.ts'

export const checkStates = ['queued', 'running', 'completed', 'failed'] as const

/** Sections of §2.9 that checks find values for, and §4.12 rule 4 sells. */
export const foundSections = [
  'payment_methods',
  'supplier_brands',
  'affiliate_programs',
  'related_domains',
  'geo',
] as const

export type Found = Record<(typeof foundSections)[number], number>

export const enrichmentPath = (enrichmentId: string) => `/v1/enrichments/${enrichmentId}`

const idCharactersMax = 64

export const enrichmentParams = Type.Object(
  {
    id: Type.String({
      minLength: 1,
      maxLength: idCharactersMax,
      description: 'The `enrichment_id` of one of your requests.',
    }),
  },
  closed,
)

const count = (description: string) => Type.Integer({ description })

const found = Type.Object(
  {
    payment_methods: count('Payment methods.'),
    supplier_brands: count('Suppliers.'),
    affiliate_programs: count('Affiliate programs.'),
    related_domains: count('Related domains.'),
    geo: count('Languages, currencies and places.'),
  } satisfies Record<keyof Found, unknown>,
  closed,
)

/** Why a completed check found nothing, as the reasons of its launch status have it. */
export const emptyReasons = ['name_does_not_exist', 'redirects_to_another_domain'] as const

export const enrichmentRecord = Type.Object(
  {
    enrichment_id: Type.String(),
    domain: Type.String({ description: 'The canonical registrable domain.' }),
    status: oneOf(checkStates),
    reason: nullable(Type.String(), {
      description:
        'Why it failed: `blocked`, `name_unresolved`, `timeout`, `tls`, `server_error`, `unreachable`, ' +
        '`unreadable`, or `interrupted` (by the service). Why a completed one found no site of the domain: ' +
        '`name_does_not_exist`, `redirects_to_another_domain`. null: neither.',
    }),
    requested_at: instant(),
    completed_at: nullable(instant(), {
      description: 'Of the check, which may be older than the request. null: not completed.',
    }),
    credits_charged: Type.Integer({
      description: 'For the check; 0 before it is completed, and where this request did not start it.',
    }),
    found: nullable(found, {
      description: 'How many values the check found, by section (§2.9). null: not completed.',
    }),
  },
  closed,
)
