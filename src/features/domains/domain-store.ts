import { sql } from 'kysely'
import type { PointRead } from '../../database/batch-reader.ts'
import type { World } from '../../database/open.ts'
import { siteObservedAt } from '../domain-entry-store.ts'
import type { BlockedBy, Verdict } from './schemas.ts'

export type VerdictRow = {
  id: number
  domain: string
  verdict: Verdict
  licensed_by: { geo: string; license_number: string | null }[]
  blocked_by: BlockedBy[]
  mentioned: boolean
  company_ref: string | null
  company_name: string | null
  last_observed_at: Date | null
}

export const verdictRows: PointRead<VerdictRow> = {
  name: 'verdict_rows',
  text: `
    select domain.id, domain.domain, domain.verdict, domain.licensed_by, domain.blocked_by,
           domain.mentioned,
           ${siteObservedAt} as last_observed_at, company.company_ref,
           company.company_name
      from domains domain
      left join lateral (
        select coalesce(merged_into, id) as id from companies where id = domain.licensee_company_id offset 0
      ) licensee on true
      left join lateral (select * from companies where id = licensee.id offset 0) company on true
     where domain.domain = any ($1::text[])`,
  keyOf: row => row.domain,
  from: 'replica',
}

/** After a check of the site, whose findings a replica may lack. */
export const verdictRowsNow: PointRead<VerdictRow> = {
  ...verdictRows,
  name: 'verdict_rows_now',
  from: 'primary',
}

export type Coverage = { registers: number; blocklists: number; oldest_snapshot_at: Date | null }

const coverageCachedMs = 1_000
const coverages = new WeakMap<World, { until: number; coverage: Promise<Coverage> }>()

/** At most one read a second per process: only a sync changes it. */
export function cachedCoverage(world: World, now: Date): Promise<Coverage> {
  const cached = coverages.get(world)
  if (cached !== undefined && now.getTime() < cached.until) return cached.coverage
  const coverage = readCoverage(world)
  coverages.set(world, { until: now.getTime() + coverageCachedMs, coverage })
  coverage.catch(() => coverages.delete(world))
  return coverage
}

async function readCoverage(world: World): Promise<Coverage> {
  const { rows } = await sql<Coverage>`
    select count(*) filter (where 'register' = any (covers)) as registers,
           count(*) filter (where 'blocklist' = any (covers)) as blocklists,
           min(last_taken_at) as oldest_snapshot_at
      from register_streams
     where last_taken_at is not null`.execute(world.replica)
  return rows[0] ?? { registers: 0, blocklists: 0, oldest_snapshot_at: null }
}
