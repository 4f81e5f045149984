import type { Database } from '../../database/open.ts'
import { suppressedAmong } from '../suppressions/index.ts'
import { type EvidenceRow, readLaunchEvidence } from './launch-evidence-store.ts'
import { type ExplainedMatch, matchClaims } from './match-claims.ts'
import { readObservations } from './observations-store.ts'
import { type OperatorContext, readOperatorContexts } from './operator-context-store.ts'

export type ProfileSources = {
  contexts: readonly OperatorContext[]
  evidence: readonly EvidenceRow[]
  /** Of the legal claims, in their order. */
  matches: readonly ExplainedMatch[]
  relatedDomains: readonly { domain: string; relationship: string }[]
}

export const noSources: ProfileSources = { contexts: [], evidence: [], matches: [], relatedDomains: [] }

/** Evidence is read of eligible domains only. */
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
  const claims = [...evidence.values()].flat().filter(({ section }) => section === 'legal_claims')
  const matched = await matchClaims(database, claims.map(claimOf))
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

/** A suppressed address is not delivered, even that of a role. */
async function withoutSuppressed(database: Database, evidence: ReadonlyMap<number, EvidenceRow[]>) {
  const contacts = [...evidence.values()].flat().filter(({ section }) => section === 'public_contacts')
  const people = contacts.map(({ value }) => ({
    name: '',
    emails: [String(value.value)],
    profiles: [],
    employer: {},
  }))
  const isSuppressed = await suppressedAmong(database, people)
  const suppressed = new Set(contacts.filter((_, index) => isSuppressed[index]))
  return new Map([...evidence].map(([id, rows]) => [id, rows.filter(row => !suppressed.has(row))]))
}

function claimOf({ domain_id: domainId, value }: EvidenceRow) {
  const { claimed_name, license_number, market } = value
  return {
    domainId,
    name: String(claimed_name),
    licenseNumber: license_number as string | null,
    market: (market ?? null) as string | null,
  }
}
