import { jsonList } from '../../../core/json-text.ts'
import type { Charge, Quote } from '../../../core/operation.ts'
import type { World } from '../../../database/open.ts'
import { charge, costOf, prices, totalCredits } from '../../../metering/pricing.ts'
import { canonicalDomain } from '../../inputs.ts'
import { defineOperation } from '../../operation.ts'
import { billProfiles } from '../../profile-billing.ts'
import { addFirmographics } from './add-firmographics.ts'
import { readCandidates } from './candidates-store.ts'
import { type FoundCompanies, findCompanies } from './find-companies.ts'
import example from './resolve-company.example.json' with { type: 'json' }
import { candidatesMax, type ResolvedCompanies, resolvedCompanies } from './resolve-data.ts'
import { type ResolveInput, resolveQuery } from './resolve-input.ts'

export const resolveCompany = defineOperation({
  name: 'resolve_company',
  method: 'GET',
  path: '/v1/companies/resolve',
  tag: 'Companies',
  section: '§4.6',
  summary: 'Resolve an identifier to Company profiles',
  description: `From a \`company_ref\`, or from a license number, a domain, a filed legal name, or a name or brand, to everything
that is known of the Company. Of several identifiers the first in this order resolves; the others are ignored, and refused with 409
where they lead elsewhere. A domain leads to its licensees and to who owns its brand. A name that several Companies bear is answered
with candidates, free of charge. Costs ${costOf('company.profile')} a profile, and ${prices['company.firmographics'].credits} for each Domain with firmographics, where they are included.`,
  query: resolveQuery,
  exclusive: {
    parameter: 'company_ref',
    unread: ['license_number', 'jurisdiction', 'domain', 'legal_entity', 'name'],
  },
  data: resolvedCompanies,
  written: ['companies'],
  prices: ['company.profile', 'company.firmographics'],
  failures: [
    'not_found',
    'invalid_domain',
    'unknown_include',
    'missing_parameter',
    'ambiguous_license_number',
    'conflicting_lookup_input',
    'max_credits_exceeded',
    'quota_exceeded',
    'idempotency_key_reused',
  ],
  demo: [
    { title: 'A Company by its ref', query: { company_ref: 'co_d01f236ab1748d78740a' } },
    {
      title: 'By a British license number, whatever its version counter',
      query: { license_number: '099101-R-339101' },
    },
    { title: 'A site of one Company under the brand of another', query: { domain: 'pikebet.example' } },
    { title: 'By a brand', query: { name: 'Lucky Otter' } },
    { title: 'A name that two Companies bear: candidates, free of charge', query: { name: 'Cloudberry' } },
    {
      title: 'With firmographics of all its domains',
      query: { company_ref: 'co_d01f236ab1748d78740a', 'include[]': ['firmographics'] },
    },
  ],
  example,
  // Beside a company_ref nothing else is read.
  canonical: input =>
    input.domain === undefined || input.company_ref !== undefined
      ? input
      : { ...input, domain: canonicalDomain(input.domain) },

  async quote({ world, now }, input: ResolveInput): Promise<Quote<ResolvedCompanies>> {
    const found = await findCompanies(world, input)
    if (isCollision(found)) return quoteCandidates(world, found, input)

    const firmographics = input['include[]']?.includes('firmographics')
      ? await addFirmographics(world, found.profiles, input.domain_ref, {
          now,
          maxAgeDays: input.max_age_days,
          allowStale: input.allow_stale_on_error ?? true,
        })
      : null
    const { profiles } = firmographics ?? found
    const charges = billOf(profiles.length, firmographics?.available ?? 0)
    return {
      ceiling: totalCredits(billOf(profiles.length, firmographics?.candidates ?? 0)),
      deliver: async () => ({
        charges,
        written: { companies: jsonList(profiles) },
        data: {
          ...echo(found, input, firmographics !== null),
          ...(found.firstRef === null ? {} : { resolved_company_ref: found.firstRef }),
          ref_status: found.isMergedRef ? 'merged' : 'active',
          companies: [],
          matches: [],
          matches_total: 0,
          billing: {
            ...billProfiles(charges, 'company_profile_delivered', input.max_credits),
            ...(firmographics === null ? {} : { breakdown: charges as Breakdown }),
          },
        },
      }),
    }
  },
})

type Breakdown = NonNullable<ResolvedCompanies['billing']['breakdown']>

/** A name says who is meant only where one Company bears it; nothing is charged for the choice. */
function isCollision({ resolvedBy, ids }: FoundCompanies): boolean {
  return (resolvedBy === 'name' || resolvedBy === 'legal_entity') && ids.length > 1
}

async function quoteCandidates(
  world: World,
  found: FoundCompanies,
  input: ResolveInput,
): Promise<Quote<ResolvedCompanies>> {
  const matches = await readCandidates(world, found.ids, candidatesMax)
  return {
    ceiling: 0,
    deliver: async () => ({
      charges: [],
      written: { companies: '[]' },
      data: {
        ...echo(found, input, false),
        companies: [],
        matches,
        matches_total: found.ids.length,
        billing: billProfiles(billOf(0, 0), 'candidates_only', input.max_credits),
      },
    }),
  }
}

/** Each line stands only where something is delivered. */
function billOf(profiles: number, domains: number): [Charge, ...Charge[]] {
  const profile = charge('company.profile', profiles)
  return domains === 0 ? [profile] : [profile, charge('company.firmographics', domains)]
}

/** What says which firmographics, and how old, is ignored where none are told, like an identifier that resolved nothing. */
function echo({ resolvedBy, ignored }: FoundCompanies, input: ResolveInput, hasFirmographics: boolean) {
  const { company_ref: ref } = input
  return {
    resolved_by: resolvedBy,
    ignored_inputs: hasFirmographics ? ignored : { ...ignored, ...firmographicsAsked(input) },
    ...(ref === undefined ? {} : { input_company_ref: ref }),
  }
}

function firmographicsAsked({ domain_ref, max_age_days, allow_stale_on_error }: ResolveInput) {
  return {
    ...(domain_ref === undefined ? {} : { domain_ref }),
    ...(max_age_days === undefined ? {} : { max_age_days }),
    ...(allow_stale_on_error === false ? { allow_stale_on_error } : {}),
  }
}
