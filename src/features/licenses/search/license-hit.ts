import { Type } from 'typebox'
import type { JsonText } from '../../../core/json-text.ts'
import type { Static } from '../../../core/operation.ts'
import { namedObject, nullable, oneOf } from '../../../core/schema.ts'
import { maskName, type ResultRow } from '../../search/index.ts'
import { type DomainMatchBasis, type DomainMatches, domainMatchBases } from './domain-matches-store.ts'

type Matches = { matches: DomainMatches | null }

const day = nullable(Type.String({ format: 'date' }))

const domainMatchBasis = Type.Optional(
  oneOf(domainMatchBases, {
    named: 'DomainMatchBasis',
    description:
      'For exact domain queries only. `regulator_published`: the register lists the domain for the ' +
      'license. `site_corroborated`: the register lists no domain for it, and another source names ' +
      'its Company behind the site. `both`: both.',
  }),
)

/** A row of license search (contract section 8). License resolve has the domains. */
export const licenseHit = namedObject('LicenseHit', {
  license_ref: Type.String({ description: 'Opaque handle, accepted by resolve.' }),
  company_ref: nullable(Type.String()),
  company_name: nullable(Type.String()),
  jurisdiction: Type.String(),
  license_number: nullable(Type.String(), { description: 'As published.' }),
  license_type: nullable(Type.String(), { description: 'As published.' }),
  status: nullable(Type.String(), {
    description: 'As published, in one spelling; null where the rows read from the source have none.',
  }),
  issued_at: day,
  expires_at: day,
  authorized_domain_count: Type.Integer(),
  rank: Type.Integer({ description: 'From 1, continued across pages.' }),
  domain_match_basis: domainMatchBasis,
})

export type LicenseHit = Static<typeof licenseHit>

export function writeLicenseHit({ id, hit, rank }: ResultRow, found: Matches): JsonText {
  const { domain_match_basis: basis } = basisOf(id, found)
  const match = basis === undefined ? '' : `,"domain_match_basis":"${basis}"`
  return [hit.slice(0, -1), `,"rank":${rank}${match}}`]
}

const { jurisdiction, license_type, status, authorized_domain_count } = licenseHit.properties

export const licenseSample = namedObject('LicenseSample', {
  company_name: nullable(Type.String(), { description: 'Masked after its second letter.' }),
  jurisdiction,
  license_type,
  status,
  authorized_domain_count,
  domain_match_basis: domainMatchBasis,
})

export type LicenseSample = Static<typeof licenseSample>

export function licenseSampleOf({ id, hit }: Pick<ResultRow, 'id' | 'hit'>, found: Matches): LicenseSample {
  const license = JSON.parse(hit) as LicenseHit
  return {
    company_name: maskName(license.company_name),
    jurisdiction: license.jurisdiction,
    license_type: license.license_type,
    status: license.status,
    authorized_domain_count: license.authorized_domain_count,
    ...basisOf(id, found),
  }
}

function basisOf(id: number, { matches }: Matches): { domain_match_basis?: DomainMatchBasis } {
  const basis = matches?.get(id)
  return basis === undefined ? {} : { domain_match_basis: basis }
}

export const answerBasis = nullable(oneOf(['text', 'similar', 'filters']), {
  description:
    '`text`: the results match the text. `similar`: nothing matches the text, and the results are ' +
    'similar. `filters`: no text was given, or a domain. null: nothing matches.',
})
