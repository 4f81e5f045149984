import type { PointRead } from '@baize/postgres'
import { sql } from 'kysely'
import type { Database, Reads, World } from '../../database/open.ts'
import { cachedRead } from '../cached-read.ts'
import { siteObservedAt } from '../domain-entry-store.ts'
import type { Verdict } from './schemas.ts'

export type VerdictRow = {
  id: number
  domain: string
  verdict: Verdict
  /** The jurisdictions as JSON text; `blocked_by` and `company` are JSON text too. */
  licensed_by: string
  blocked_by: string
  company: string | null
  mentioned: boolean
  last_observed_at: Date | null
}

/** Selects the columns of `VerdictRow` from a `domain` that `withCompany` joins. */
export const verdictColumns = `
           domain.id, domain.domain, domain.verdict, domain.licensed_by::text, domain.blocked_by::text,
           domain.mentioned, ${siteObservedAt} as last_observed_at,
           '{"company_ref":' || to_json(company.company_ref) || ',"name":'
           || to_json(coalesce(company.company_name, domain.domain)) || '}' as company`

export const withCompany = `
      left join lateral (
        select coalesce(merged_into, id) as id from companies where id = domain.licensee_company_id offset 0
      ) licensee on true
      left join lateral (select * from companies where id = licensee.id offset 0) company on true`

export const verdictRows: PointRead<VerdictRow> = {
  name: 'verdict_rows',
  text: `
    select ${verdictColumns}
      from domains domain${withCompany}
     where domain.domain = any ($1::text[])`,
  keyOf: row => row.domain,
}

export async function readVerdictRows(
  reads: Reads,
  domains: readonly string[],
): Promise<ReadonlyMap<string, VerdictRow>> {
  const rows = await reads.readByKeys(verdictRows, domains)
  return new Map(rows.map(row => [row.domain, row]))
}

export type VerdictCoverage = { registers: number; blocklists: number; oldest_snapshot_at: Date | null }

const coverageCachedMs = 1_000

/** Only a sync changes the coverage. */
export const cachedCoverage = cachedRead(coverageCachedMs, readCoverage)

async function readCoverage(world: World): Promise<VerdictCoverage> {
  const { rows } = await sql<VerdictCoverage>`
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
