import { Type } from 'typebox'
import type { JsonText } from '../../../core/json-text.ts'
import type { Static } from '../../../core/operation.ts'
import { closedObject, instant, namedObject, nullable, oneOf } from '../../../core/schema.ts'
import { domainEntry } from '../../domain-entry.ts'
import { maskName, type ResultRow } from '../../search/index.ts'
import { role as roleWord, subjectKind } from '../../value-sets.ts'

const searchedFields = ['company_name', 'legal_entity', 'brands', 'aliases', 'domains'] as const

const texts = Type.Array(Type.String())
const roleList = Type.Array(roleWord())

/** A row of Company search (§2.6). It has categories and counts; Company resolve has the lists. */
export const companyHit = namedObject('CompanyHit', {
  company_ref: Type.String({ description: 'Opaque handle, accepted by resolve.' }),
  company_name: nullable(Type.String()),
  legal_entity: nullable(Type.String(), {
    description: 'null unless a source filed one: a register, or a file for a legal entity.',
  }),
  subject_kind: subjectKind(),
  role: roleList,
  primary_domain: nullable(domainEntry),
  domains_sample: Type.Array(domainEntry),
  domain_count: Type.Integer(),
  jurisdictions: texts,
  license_statuses: texts,
  license_count: Type.Integer(),
  payment_categories: texts,
  payment_method_count: Type.Integer(),
  supplier_brand_count: Type.Integer(),
  platform_present: Type.Boolean({
    description: 'false: no reviewed platform is published. The Company may still have one.',
  }),
  affiliate_program_present: Type.Boolean(),
  geo_hints: texts,
  data_completeness: nullable(Type.Number(), { description: '0 to 1: how complete the profile is.' }),
  last_observed_at: nullable(instant()),
  last_updated_at: nullable(instant()),
  rank: Type.Integer({ description: 'From 1, continued across pages.' }),
  score: nullable(Type.Number(), { description: '0 to 1; null without `q`.' }),
  matched_fields: Type.Array(oneOf(searchedFields), { description: 'The fields that match the text.' }),
  highlight: closedObject(
    Object.fromEntries(searchedFields.map(field => [field, Type.Optional(Type.String())])),
    {
      description:
        'The text of each matched field (of a list the best match) with `<em>` around the ' +
        'matches, everything else HTML-escaped.',
    },
  ),
  firmographics_available: Type.Boolean(),
  contacts_available: Type.Boolean(),
})

export type CompanyHit = Static<typeof companyHit>

/** The rank, score and matches are inserted before this member, the last but one. */
const memberAfterPlace = ',"firmographics_available":'

/** Returns the stored JSON in pieces, because joining would copy them (decision 5). */
export function writeCompanyHit({ hit, rank, score, matchedFields, highlight }: ResultRow): JsonText {
  const at = hit.lastIndexOf(memberAfterPlace)
  const fields = JSON.stringify(matchedFields)
  const highlights = JSON.stringify(highlight)
  const place = `,"rank":${rank},"score":${score},"matched_fields":${fields},"highlight":${highlights}`
  return [hit.slice(0, at), place, hit.slice(at)]
}

const { role, subject_kind, jurisdictions, domain_count, license_count } = companyHit.properties
const { payment_method_count, supplier_brand_count } = companyHit.properties

export const companySample = namedObject('CompanySample', {
  company_name: nullable(Type.String(), { description: 'Masked after its second letter.' }),
  subject_kind,
  role,
  jurisdictions,
  domain_count,
  license_count,
  payment_method_count,
  supplier_brand_count,
})

export type CompanySample = Static<typeof companySample>

export function companySampleOf(row: Pick<ResultRow, 'hit'>): CompanySample {
  const { company_name, ...hit } = JSON.parse(row.hit) as CompanyHit
  return {
    company_name: maskName(company_name),
    subject_kind: hit.subject_kind,
    role: hit.role,
    jurisdictions: hit.jurisdictions,
    domain_count: hit.domain_count,
    license_count: hit.license_count,
    payment_method_count: hit.payment_method_count,
    supplier_brand_count: hit.supplier_brand_count,
  }
}
