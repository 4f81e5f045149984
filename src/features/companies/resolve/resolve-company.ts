import { jsonList } from '../../../core/json-text.ts'
import type { Charge, Delivery, Quote } from '../../../core/operation.ts'
import type { World } from '../../../database/open.ts'
import { charge, costOf, prices, totalCredits } from '../../../metering/pricing.ts'
import { billProfiles } from '../../billing.ts'
import { canonicalDomain } from '../../inputs.ts'
import { type Context, defineOperation } from '../../operation.ts'
import { addFirmographics, type WantedFirmographics, wantFirmographics } from './add-firmographics.ts'
import { type FoundCompanies, findCompanies } from './find-companies.ts'
import { readCandidates } from './resolutions-store.ts'
import example from './resolve-company.example.json' with { type: 'json' }
import {
  candidatesMax,
  holdersShownMax,
  type ResolvedCompanies,
  type ResolveInput,
  resolvedCompanies,
  resolveQuery,
} from './schemas.ts'

export const resolveCompany = defineOperation({
  name: 'resolve_company',
  method: 'GET',
  path: '/v1/companies/resolve',
  tag: 'Companies',
  section: '§4.6',
  summary: 'Resolve an identifier to Company profiles',
  description: `Returns the full profile of a Company for a \`company_ref\`, license number, domain, legal
name, or name or brand. If several identifiers are sent, the first in this order is resolved. The others are
ignored, or rejected with 409 if they lead to a different Company. A domain returns its licensees and the
owners of its brand. A name that several Companies share, and a domain with more than three licensees in one
register, return free candidates.
Costs ${costOf('company.profile')} per profile, plus ${prices['company.firmographics'].credits} for each
Domain with firmographics, if included.

With \`max_age_days\`, older firmographics are refreshed from the operator's source, else from what the site
says of itself. The request waits for it, up to 240 seconds; let clients wait for 300. \`refresh\` of each
Domain has the outcome. The refresh itself costs nothing.`,
  query: resolveQuery,
  exclusive: {
    parameter: 'company_ref',
    unread: ['license_number', 'jurisdiction', 'domain', 'legal_entity', 'name'],
  },
  data: resolvedCompanies,
  written: ['companies'],
  refreshes: true,
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
      title: 'By a British license number, with any version counter',
      query: { license_number: '099101-R-339101' },
    },
    {
      title: 'A site that one Company operates under the brand of another',
      query: { domain: 'pikebet.example' },
    },
    { title: 'By a brand', query: { name: 'Lucky Otter' } },
    { title: 'A name of two Companies: free candidates', query: { name: 'Cloudberry' } },
    {
      title: 'With firmographics for all its domains',
      query: { company_ref: 'co_d01f236ab1748d78740a', 'include[]': ['firmographics'] },
    },
  ],
  example,
  // With a company_ref, other identifiers are ignored and returned as sent.
  canonical: input =>
    input.domain === undefined || input.company_ref !== undefined
      ? input
      : { ...input, domain: canonicalDomain(input.domain) },

  async quote(context, input: ResolveInput): Promise<Quote<ResolvedCompanies>> {
    const found = await findCompanies(context, input)
    if (isCollision(found)) return quoteCandidates(context.world, found, input)
    const { profiles } = found
    const wanted = input['include[]']?.includes('firmographics')
      ? wantFirmographics(profiles, input.domain_ref)
      : null
    const ceiling = totalCredits(billOf(profiles.length, wanted?.names.length ?? 0))
    return { ceiling, deliver: () => deliverProfiles(context, { found, input, wanted, ceiling }) }
  },
})

type Profiles = {
  found: FoundCompanies
  input: ResolveInput
  /** The requested firmographics; null if the request does not include them. */
  wanted: WantedFirmographics | null
  ceiling: number
}

async function deliverProfiles(
  context: Context,
  { found, input, wanted, ceiling }: Profiles,
): Promise<Delivery<ResolvedCompanies>> {
  const rules = {
    now: context.now,
    maxAgeDays: input.max_age_days,
    allowStale: input.allow_stale_on_error ?? true,
  }
  const added = wanted === null ? null : await addFirmographics(context, wanted, rules, ceiling)
  const { profiles } = added ?? found
  const charges = billOf(profiles.length, added?.available ?? 0)
  return {
    charges,
    ...(added === null || added.deliveredAt === null ? {} : { deliveredAt: added.deliveredAt }),
    written: { companies: jsonList(profiles) },
    data: {
      ...echoedInputs(found, input, added !== null),
      ...(found.firstRef === null ? {} : { resolved_company_ref: found.firstRef }),
      ref_status: found.isMergedRef ? 'merged' : 'active',
      matches: [],
      matches_total: 0,
      billing: {
        ...billProfiles(charges, 'company_profile_delivered', input.max_credits),
        ...(added === null ? {} : { breakdown: charges }),
      },
    },
  }
}

/** Returns true if a name or a shared site has several Companies: free candidates instead of profiles. */
function isCollision({ resolvedBy, ids, isShared }: FoundCompanies): boolean {
  if (isShared) return true
  return (resolvedBy === 'name' || resolvedBy === 'legal_entity') && ids.length > 1
}

async function quoteCandidates(
  world: World,
  found: FoundCompanies,
  input: ResolveInput,
): Promise<Quote<ResolvedCompanies>> {
  const matches = await readCandidates(world, found.ids, found.isShared ? holdersShownMax : candidatesMax)
  return {
    ceiling: 0,
    deliver: async () => ({
      charges: [],
      written: { companies: '[]' },
      data: {
        ...echoedInputs(found, input, false),
        matches,
        matches_total: found.ids.length,
        billing: billProfiles(billOf(0, 0), 'candidates_only', input.max_credits),
      },
    }),
  }
}

type Billed = Charge<'company.profile' | 'company.firmographics'>

function billOf(profiles: number, domains: number): [Billed, ...Billed[]] {
  const profile = charge('company.profile', profiles)
  return domains === 0 ? [profile] : [profile, charge('company.firmographics', domains)]
}

function echoedInputs(
  { resolvedBy, matchBasis, ignored }: FoundCompanies,
  input: ResolveInput,
  hasFirmographics: boolean,
) {
  const { company_ref: ref } = input
  return {
    resolved_by: resolvedBy,
    ...(matchBasis === null ? {} : { match_basis: matchBasis }),
    ignored_inputs: hasFirmographics ? ignored : { ...ignored, ...firmographicsInputs(input) },
    ...(ref === undefined ? {} : { input_company_ref: ref }),
  }
}

function firmographicsInputs({ domain_ref, max_age_days, allow_stale_on_error }: ResolveInput) {
  return {
    ...(domain_ref === undefined ? {} : { domain_ref }),
    ...(max_age_days === undefined ? {} : { max_age_days }),
    ...(allow_stale_on_error === false ? { allow_stale_on_error } : {}),
  }
}
