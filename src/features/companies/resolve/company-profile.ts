import { Type } from 'typebox'
import type { Static } from '../../../core/operation.ts'
import { closed, instant, nullable, oneOf } from '../../../core/schema.ts'
import { appStores, relations } from '../../../core/value-sets.ts'
import { domainEntry } from '../../domain-entry.ts'
import { firmographicsResult } from '../../firmographics/index.ts'
import { role, subjectKind } from '../../words.ts'

const text = Type.String()
const texts = Type.Array(text)

/** What a profile and a candidate both tell. */
const identity = {
  company_ref: Type.String({ description: 'Opaque, lasting handle.' }),
  company_name: nullable(text),
  legal_entity: nullable(text, { description: 'null unless a source filed one.' }),
  subject_kind: subjectKind(),
  role: Type.Array(role()),
  country: nullable(text),
}

const profileLicense = Type.Object(
  {
    license_ref: text,
    jurisdiction: nullable(text),
    license_number: nullable(text),
    status: nullable(text, {
      description: 'As the register publishes it, in one spelling; null where it publishes none.',
    }),
    license_type: nullable(text),
    authorized_domains: Type.Array(domainEntry),
  },
  { ...closed, named: 'CompanyLicense' },
)

/** §2.4: everything that is known of a Company. Lists are whole, whatever their length. */
export const companyProfile = Type.Object(
  {
    ...identity,
    matched_as: Type.Array(oneOf(relations), {
      description: 'How `domain` led here; empty when something else did.',
    }),
    brands: texts,
    domains: Type.Array(domainEntry),
    licenses: Type.Array(profileLicense, { description: 'Those that a source has today, in every status.' }),
    apps: Type.Array(Type.Object({ store: oneOf(appStores), app_id: text, url: text }, closed)),
    payment_methods: Type.Array(text, { description: 'Currently observed on its domains.' }),
    payment_categories: texts,
    supplier_brands: Type.Array(text, { description: 'Likewise.' }),
    platform_brands: Type.Array(text, {
      description:
        'Reviewed platforms, of the latest reading of each domain; an empty list does not mean that there is none.',
    }),
    affiliate_program: Type.Boolean(),
    geo_hints: Type.Array(text, { description: 'Places that it or its sites appear to address.' }),
    evidence_routes: Type.Array(text, {
      description: 'Kinds of evidence behind it: `register`, `website`, `catalog`.',
    }),
    data_completeness: Type.Number({
      minimum: 0,
      maximum: 1,
      description: 'How much of a profile is known.',
    }),
    last_observed_at: nullable(instant()),
    last_updated_at: nullable(instant()),
    firmographics: Type.Optional(
      Type.Array(firmographicsResult, { description: 'One for each Domain asked for, when it is included.' }),
    ),
  },
  { ...closed, named: 'CompanyProfile' },
)

export type CompanyProfile = Static<typeof companyProfile>

/** One of several Companies that bear a name: enough to choose by, and free. */
export const companyCandidate = Type.Object(
  { ...identity, primary_domain: nullable(domainEntry) },
  { ...closed, named: 'CompanyCandidate' },
)
