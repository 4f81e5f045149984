import type { Holder, JoinedParties, Link } from '@baize/names'
import type { Transaction } from '../../../database/open.ts'
import { joinCompanies } from '../join-companies.ts'

/**
 * Joins Companies that turned out to be one party; the oldest stays. Returns the Companies to derive and the
 * domains whose Company changed.
 */
export async function joinLinked(
  tx: Transaction,
  { parties, links }: Pick<JoinedParties, 'parties' | 'links'>,
  { stream, now }: { stream: string; now: Date },
) {
  const companyIds: number[] = []
  const domainIds: number[] = []
  for (const party of parties) {
    const [survivor, ...merged] = [...new Set(party.map(({ companyId }) => companyId))].filter(
      id => id !== null,
    )
    if (survivor === undefined || merged.length === 0) continue
    companyIds.push(survivor, ...merged)
    for (const id of merged) {
      const reason = `${stream}: ${evidenceOf(party, links)}`
      const joined = await joinCompanies(tx, { merged: { id }, survivor: { id: survivor }, reason, now })
      domainIds.push(...joined.domainIds)
    }
  }
  return { companyIds, domainIds }
}

/** Names the evidence of the party's links: `name_and_domain lucky-otter.example`. */
function evidenceOf(party: readonly Holder[], links: readonly Link[]): string {
  const names = new Set(party.flatMap(({ identities }) => identities))
  const shared = links.filter(({ stream, identity_key }) => names.has(`${stream}:${identity_key}`))
  const [first] = shared
  return first === undefined ? 'one party' : `${first.evidence} ${first.value}`
}
