import type { Database } from '../../../database/open.ts'
import { findDomainId } from '../domain-store.ts'
import { buildLaunchProfile } from './build-launch-profile.ts'
import { matchReasons } from './match-claims.ts'
import { noProfileSources, readProfileSources } from './read-profile-sources.ts'
import type { LaunchProfile } from './schema.ts'

type ExplainedClaim = {
  claim_type: string
  claimed_name: string
  license_number: string | null
  match: LaunchProfile['legal_claims'][number]['match']
  why: string
}

export type ExplainedProfile = Pick<
  LaunchProfile,
  'availability' | 'reason' | 'regulatory_context' | 'quality' | 'coverage'
> & { claims: ExplainedClaim[] }

/** Explains a domain's launch profile to staff: what customers get, and why its claims match or not. */
export async function explainLaunchProfile(database: Database, domain: string): Promise<ExplainedProfile> {
  const id = await findDomainId(database, domain)
  const [sources = noProfileSources] =
    id === null ? [] : ((await readProfileSources(database, [id])).get(id) ?? [])
  const profile = buildLaunchProfile(domain, sources)
  const { availability, reason, regulatory_context, quality, coverage } = profile
  const claims = profile.legal_claims.map(({ claim_type, claimed_name, license_number, match }, index) => ({
    claim_type,
    claimed_name,
    license_number,
    match,
    why: matchReasons[sources.matches[index]?.why ?? 'nothing_known'],
  }))
  return { availability, reason, regulatory_context, quality, coverage, claims }
}
