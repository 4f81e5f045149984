import { sql } from 'kysely'
import type { Database } from '../../database/open.ts'

/** Background checks that were started in the last 24 hours. */
export async function countRefreshes(database: Database, now: Date): Promise<number> {
  const { rows } = await sql<{ checks: number }>`
    select count(*) as checks
      from site_checks
     where asked_by = 'refresh'
       and requested_at > ${now}::timestamptz - interval '24 hours'
  `.execute(database)
  return rows[0]?.checks ?? 0
}

/**
 * Sites of Companies and licensed sites that are due: never checked first, then the longest ago. A site is
 * not due again before a week, or a day after a failed check.
 */
export async function dueDomains(database: Database, now: Date, atMost: number): Promise<string[]> {
  const { rows } = await sql<{ domain: string }>`
    select domain.domain
      from domains domain
     where (domain.licensee_company_id is not null or domain.verdict in ('licensed', 'mixed'))
       and (domain.last_checked_at is null
            or domain.last_checked_at < ${now}::timestamptz - interval '7 days')
       and not exists (
         select from site_checks tried
          where tried.domain_id = domain.id
            and (tried.finished_at is null or tried.finished_at > ${now}::timestamptz - interval '1 day')
       )
     order by domain.last_checked_at nulls first, domain.id
     limit ${atMost}`.execute(database)
  return rows.map(row => row.domain)
}

/** One process schedules at a time. false: another one does. */
export async function tryLockRefresh(database: Database): Promise<boolean> {
  const { rows } = await sql<{ locked: boolean }>`
    select pg_try_advisory_xact_lock(
             hashtextextended('baize ' || current_schema() || ' refresh', 0)) as locked
  `.execute(database)
  return rows[0]?.locked ?? false
}
