import { Type } from 'typebox'
import type { Static } from '../../../core/operation.ts'
import { closedObject, instant, namedObject, nullable, oneOf } from '../../../core/schema.ts'
import { domainEntry } from '../../domain-entry.ts'
import { firmographicsResult } from '../../firmographics/index.ts'
import { appStores, relations, role, subjectKind } from '../../value-sets.ts'

const text = Type.String()
const texts = Type.Array(text)

const identity = {
  company_ref: Type.String({ description: 'Opaque, permanent identifier.' }),
  company_name: nullable(text),
  legal_entity: nullable(text, {
    description: 'null unless a source filed one: a register, or a file for a legal entity.',
  }),
  subject_kind: subjectKind(),
  role: Type.Array(role()),
  country: nullable(text),
}

const profileLicense = namedObject('CompanyLicense', {
  license_ref: text,
  jurisdiction: nullable(text),
  license_number: nullable(text),
  status: nullable(text, {
    description: 'The published status in one spelling; null: the rows read from the source have none.',
  }),
  license_type: nullable(text),
  authorized_domains: Type.Array(domainEntry),
})

/** The profile of a Company (§2.4). Its lists are never truncated. */
export const companyProfile = namedObject('CompanyProfile', {
  ...identity,
  matched_as: Type.Array(oneOf(relations), {
    description: 'How the Company is related to `domain`; empty for other identifiers.',
  }),
  brands: texts,
  domains: Type.Array(domainEntry),
  licenses: Type.Array(profileLicense, {
    description: 'Licenses that a source lists today, in every status.',
  }),
  apps: Type.Array(closedObject({ store: oneOf(appStores), app_id: text, url: text })),
  payment_methods: Type.Array(text, { description: 'Currently observed on its domains.' }),
  payment_categories: texts,
  supplier_brands: Type.Array(text, { description: 'Currently observed on its domains.' }),
  platform_brands: Type.Array(text, {
    description:
      'Reviewed platforms, from the latest reading of each domain. Empty does not mean that it uses none.',
  }),
  groups: Type.Array(
    namedObject('CompanyGroup', {
      name: text,
      source_url: Type.String({ description: 'The page that shows it.' }),
      stated_at: instant(),
    }),
    { description: 'Groups of which staff stated that the Company is a member; never inferred.' },
  ),
  affiliate_program: Type.Boolean(),
  geo_hints: Type.Array(text, { description: 'Places that the Company or its sites appear to target.' }),
  evidence_routes: Type.Array(text, {
    description: 'Kinds of evidence: `register` (also of a license from a file), `website`, `catalog`.',
  }),
  data_completeness: Type.Number({
    minimum: 0,
    maximum: 1,
    description: 'Share of the profile that is known.',
  }),
  last_observed_at: nullable(instant(), {
    description: 'The latest observation of one of its domains, readings of a platform included.',
  }),
  last_updated_at: nullable(instant()),
  firmographics: Type.Optional(
    Type.Array(firmographicsResult, {
      description: 'One result per requested Domain; only when included.',
    }),
  ),
})

export type CompanyProfile = Static<typeof companyProfile>

export const companyCandidate = namedObject('CompanyCandidate', {
  ...identity,
  primary_domain: nullable(domainEntry),
})
