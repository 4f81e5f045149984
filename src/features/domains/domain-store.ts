import { sql } from 'kysely'
import type { PointRead } from '../../database/batch-reader.ts'
import type { Database, World } from '../../database/open.ts'
import { siteObservedAt } from '../domain-entry-store.ts'
import type { Verdict } from './schemas.ts'

export type VerdictRow = {
  id: number
  domain: string
  verdict: Verdict
  /** JSON, as are `blocked_by` and `company`. */
  licensed_by: string
  blocked_by: string
  company: string | null
  mentioned: boolean
  last_observed_at: Date | null
}

export const verdictRows: PointRead<VerdictRow> = {
  name: 'verdict_rows',
  text: `
    select domain.id, domain.domain, domain.verdict, domain.licensed_by::text, domain.blocked_by::text,
           domain.mentioned, ${siteObservedAt} as last_observed_at,
           '{"company_ref":' || to_json(company.company_ref) || ',"name":'
           || to_json(coalesce(company.company_name, domain.domain)) || '}' as company
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

export async function readVerdictRows(
  world: World,
  domains: readonly string[],
): Promise<ReadonlyMap<string, VerdictRow>> {
  const rows = await world.readByKeys(verdictRows, domains)
  return new Map(rows.map(row => [row.domain, row]))
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

export async function findDomainId(database: Database, domain: string): Promise<number | null> {
  const { rows } = await sql<{ id: number }>`select id from domains where domain = ${domain}`.execute(
    database,
  )
  return rows[0]?.id ?? null
}
