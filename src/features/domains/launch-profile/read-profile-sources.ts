import type { Database } from '../../../database/open.ts'
import { suppressedAmong } from '../../suppressions/index.ts'
import { readObservations } from '../observations-store.ts'
import { type EvidenceRow, readLaunchEvidence } from './launch-evidence-store.ts'
import { type OperatorContext, readOperatorContexts } from './licensees-store.ts'
import { type ExplainedMatch, matchClaims } from './match-claims.ts'

export type ProfileSources = {
  contexts: readonly OperatorContext[]
  evidence: readonly EvidenceRow[]
  /** The matches of the legal claims, in the same order. */
  matches: readonly ExplainedMatch[]
  relatedDomains: readonly { domain: string; relationship: string }[]
}

export const noProfileSources: ProfileSources = {
  contexts: [],
  evidence: [],
  matches: [],
  relatedDomains: [],
}

/** Reads what launch profiles are built from. Evidence is read only for eligible domains. */
export async function readProfileSources(
  database: Database,
  domainIds: readonly number[],
): Promise<Map<number, ProfileSources[]>> {
  const contexts = await readOperatorContexts(database, domainIds)
  const eligible = domainIds.filter(id => contexts.get(id)?.length === 1)
  const evidence = await withoutSuppressed(database, await readLaunchEvidence(database, eligible))
  const related = Map.groupBy(
    eligible.length === 0 ? [] : await readObservations(database, eligible, ['related_domains']),
    row => row.domain_id,
  )
  const claims = [...evidence.values()].flat().filter(row => row.section === 'legal_claims')
  const matched = await matchClaims(
    database,
    claims.map(({ domain_id: domainId, value }) => ({
      domainId,
      name: value.claimed_name,
      licenseNumber: value.license_number,
      market: value.market ?? null,
    })),
  )
  const matches = Map.groupBy(
    claims.map((claim, index) => ({ domainId: claim.domain_id, match: matched[index] as ExplainedMatch })),
    ({ domainId }) => domainId,
  )
  return new Map(
    domainIds.map(id => [
      id,
      [
        {
          contexts: contexts.get(id) ?? [],
          evidence: evidence.get(id) ?? [],
          matches: (matches.get(id) ?? []).map(({ match }) => match),
          relatedDomains: (related.get(id) ?? []).map(({ value }) => ({
            domain: String(value.related_domain_normalized),
            relationship: String(value.relationship),
          })),
        },
      ],
    ]),
  )
}

/** Removes suppressed addresses, even those of a role such as `privacy@`. */
async function withoutSuppressed(database: Database, evidence: ReadonlyMap<number, EvidenceRow[]>) {
  const contacts = [...evidence.values()].flat().filter(row => row.section === 'public_contacts')
  const suppressedFlags = await suppressedAmong(
    database,
    contacts.map(({ value }) => ({ name: '', emails: [value.value], profiles: [], employer: {} })),
  )
  const suppressed = new Set<EvidenceRow>(contacts.filter((_, index) => suppressedFlags[index]))
  return new Map([...evidence].map(([id, rows]) => [id, rows.filter(row => !suppressed.has(row))]))
}
