import { Type } from 'typebox'
import type { JsonText } from '../../../core/json-text.ts'
import type { Static } from '../../../core/operation.ts'
import { closed, nullable, oneOf } from '../../../core/schema.ts'
import { maskName, type ResultRow } from '../../search/index.ts'
import { type DomainMatchBasis, type DomainMatches, domainMatchBases } from './domain-matches-store.ts'

const day = nullable(Type.String({ format: 'date' }))

const domainMatchBasis = Type.Optional(
  oneOf(domainMatchBases, {
    named: 'DomainMatchBasis',
    description:
      'On exact domain queries only. `regulator_published`: the register lists the domain for the license. `site_corroborated`: its register lists no domain for it, and its Company is known to be behind the site. `both`: listed, and the Company is.',
  }),
)

/** A thin row (contract section 8): the domains themselves are told by resolve alone. */
export const licenseHit = Type.Object(
  {
    license_ref: Type.String({ description: 'Opaque handle; resolve takes it.' }),
    company_ref: nullable(Type.String()),
    company_name: nullable(Type.String()),
    jurisdiction: Type.String(),
    license_number: nullable(Type.String(), { description: 'As published.' }),
    license_type: nullable(Type.String(), { description: 'As published.' }),
    status: nullable(Type.String(), {
      description: 'As published, in one spelling; null where the register publishes none.',
    }),
    issued_at: day,
    expires_at: day,
    authorized_domain_count: Type.Integer(),
    rank: Type.Integer({ description: 'From 1, counted on across pages.' }),
    domain_match_basis: domainMatchBasis,
  },
  { ...closed, named: 'LicenseHit' },
)

export type LicenseHit = Static<typeof licenseHit>

/** The JSON of a hit: what the search row holds, as it is, with its place in this answer. */
export function writeHit({ id, hit, rank }: ResultRow, matches: DomainMatches | null): JsonText {
  const { domain_match_basis: basis } = basisOf(id, matches)
  const told = basis === undefined ? '' : `,"domain_match_basis":"${basis}"`
  return [hit.slice(0, -1), `,"rank":${rank}${told}}`]
}

const { jurisdiction, license_type, status, authorized_domain_count } = licenseHit.properties

/** A row of the preview's sample: nothing by which the license or its holder could be found elsewhere. */
export const licenseSample = Type.Object(
  {
    company_name: nullable(Type.String(), { description: 'Masked after its second letter.' }),
    jurisdiction,
    license_type,
    status,
    authorized_domain_count,
    domain_match_basis: domainMatchBasis,
  },
  { ...closed, named: 'LicenseSample' },
)

export function tellSample(
  { id, hit }: ResultRow,
  matches: DomainMatches | null,
): Static<typeof licenseSample> {
  const held = JSON.parse(hit) as LicenseHit
  return {
    company_name: maskName(held.company_name),
    jurisdiction: held.jurisdiction,
    license_type: held.license_type,
    status: held.status,
    authorized_domain_count: held.authorized_domain_count,
    ...basisOf(id, matches),
  }
}

function basisOf(id: number, matches: DomainMatches | null): { domain_match_basis?: DomainMatchBasis } {
  const basis = matches?.get(id)
  return basis === undefined ? {} : { domain_match_basis: basis }
}

export const answerBasis = nullable(oneOf(['text', 'similar', 'filters']), {
  description:
    '`text`: the results bear the text. `similar`: nothing bears it, and these are like it. `filters`: no text was asked for, or a domain. null: nothing matches.',
})
