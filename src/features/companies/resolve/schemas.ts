import { Type } from 'typebox'
import type { Static } from '../../../core/operation.ts'
import { closedObject, oneOf } from '../../../core/schema.ts'
import { costOf } from '../../../metering/pricing.ts'
import { billingLines, profileBillingMembers } from '../../billing.ts'
import { freshDaysDefault } from '../../firmographics/index.ts'
import { domainInput, licenseNumberInput, marketInput, maxCredits, wordsInput } from '../../inputs.ts'
import type { InputOf } from '../../operation.ts'
import { companyCandidate, companyProfile } from './company-profile.ts'
import { inputKinds, matchBases } from './find-companies.ts'

const refCharactersMax = 64
/** The longest name that the service stores. */
const nameCharactersMax = 500
const ageDaysMax = 3_650

const includes = ['firmographics'] as const

const ref = (description: string) => Type.String({ minLength: 1, maxLength: refCharactersMax, description })

export const resolveQuery = closedObject({
  company_ref: Type.Optional(
    ref('Opaque identifier. Overrides all other identifiers, which are returned in `ignored_inputs`.'),
  ),
  license_number: Type.Optional(licenseNumberInput),
  jurisdiction: Type.Optional(
    marketInput('The jurisdiction of `license_number`; required if several use that number.'),
  ),
  domain: Type.Optional(
    domainInput(
      'A casino URL or host. Returns the licensees of its registrable domain and the owners of its brand.',
    ),
  ),
  legal_entity: Type.Optional(
    wordsInput(
      nameCharactersMax,
      'A legal name as a source filed it. Case, accents, spaces and punctuation are ignored, and how and ' +
        'where the legal form is written. A legal form is never left out.',
      'Ottermoor Gaming Limited',
    ),
  ),
  name: Type.Optional(
    wordsInput(
      nameCharactersMax,
      'A name, brand or alias as published. If none is exactly the same apart from case, accents and ' +
        'spaces, punctuation and the spelling of the legal form are ignored too (`match_basis`).',
      'Lucky Otter',
    ),
  ),
  domain_ref: Type.Optional(
    ref('Add firmographics for this Domain of the Company only. Default: all its Domains.'),
  ),
  'include[]': Type.Optional(
    Type.Array(oneOf(includes, { failure: 'unknown_include' }), {
      maxItems: includes.length,
      uniqueItems: true,
      description:
        '`firmographics` adds data about the organisations behind the Domains, ' +
        `at ${costOf('company.firmographics')} each.`,
    }),
  ),
  max_age_days: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: ageDaysMax,
      description:
        'Refresh firmographics older than this; 0 refreshes all. Each result reports the outcome under ' +
        '`refresh`. If omitted, nothing is refreshed ' +
        `and results older than ${freshDaysDefault} days are \`stale\`.`,
    }),
  ),
  allow_stale_on_error: Type.Optional(
    Type.Boolean({
      default: true,
      description:
        'Whether to return stored firmographics if no refresh was attempted, or it failed for the moment ' +
        '(`source_temporarily_unavailable`). After another failure none are returned.',
    }),
  ),
  max_credits: Type.Optional(maxCredits),
})

export type ResolveInput = InputOf<typeof resolveQuery>

export const candidatesMax = 100
/** The most holders of one domain that are shown. */
export const holdersShownMax = 20

const ignoredText = Type.Optional(Type.String())

/** The answer of Company resolve (§4.6). */
export const resolvedCompanies = closedObject({
  resolved_by: oneOf(inputKinds, { description: 'The identifier that was resolved.' }),
  match_basis: Type.Optional(
    oneOf(matchBases, {
      description:
        'How a `name` or `legal_entity` matched. `exact`: it differs in case, accents and spaces at ' +
        'most. `folded_name`: it also differs in punctuation, `&`, or the place or spelling of its form.',
    }),
  ),
  ignored_inputs: closedObject(
    {
      license_number: ignoredText,
      jurisdiction: ignoredText,
      domain: ignoredText,
      legal_entity: ignoredText,
      name: ignoredText,
      domain_ref: ignoredText,
      max_age_days: Type.Optional(Type.Integer()),
      allow_stale_on_error: Type.Optional(
        Type.Boolean({ description: 'Present only if it was sent as false.' }),
      ),
    },
    { description: 'Inputs that were sent but not used.' },
  ),
  input_company_ref: Type.Optional(Type.String({ description: 'The `company_ref` that was sent.' })),
  resolved_company_ref: Type.Optional(
    Type.String({ description: 'The ref of the first Company; omitted if there are only candidates.' }),
  ),
  ref_status: Type.Optional(
    oneOf(['active', 'merged'], {
      description: '`merged`: the Company of the sent ref was merged into the returned one.',
    }),
  ),
  companies: Type.Array(companyProfile),
  matches: Type.Array(companyCandidate, {
    description:
      `Up to ${candidatesMax} Companies with the name, if several, or ${holdersShownMax} licensees of a ` +
      'domain with more than three in one register. Resolve one by its ref.',
  }),
  matches_total: Type.Integer({
    description: 'Total number of Companies with the name if there are several, else 0.',
  }),
  billing: closedObject({
    ...profileBillingMembers('`company_profile_delivered`, `candidates_only` or `simulated` (demo key).'),
    breakdown: Type.Optional(
      billingLines(['company.profile', 'company.firmographics'], 'Only when firmographics are included.'),
    ),
  }),
})

/** The answer without its profiles, which PostgreSQL writes as text. */
export type ResolvedCompanies = Omit<Static<typeof resolvedCompanies>, 'companies'>
