import { sql } from 'kysely'
import type { Database, World } from '../../database/open.ts'
import { startBackgroundCheck } from '../../features/enrichments/index.ts'

const minutesPerDay = 24 * 60

/**
 * Starts the background checks of one minute. A day has at most `perDay` (OBSERVE_PER_DAY), evenly spread.
 * Returns how many.
 */
export function refreshSites(world: World, perDay: number, now: Date): Promise<number> {
  return world.database.transaction().execute(async tx => {
    if (perDay === 0 || !(await tryLockRefresh(tx))) return 0
    const left = perDay - (await countRefreshes(tx, now))
    const atMost = Math.min(left, startsInMinute(perDay, now))
    if (atMost <= 0) return 0
    const domains = await dueDomains(tx, now, atMost)
    for (const domain of domains) await startBackgroundCheck(tx, { domain, askedBy: 'refresh', now })
    return domains.length
  })
}

/** Adds up the shares of the minutes: 100 a day start one about each 14 minutes. */
function startsInMinute(perDay: number, now: Date): number {
  const minute = Math.floor(now.getTime() / 60_000) % minutesPerDay
  const startedBy = (minutes: number) => Math.floor((minutes * perDay) / minutesPerDay)
  return startedBy(minute + 1) - startedBy(minute)
}

/** Counts the background checks that were started in the last 24 hours. */
async function countRefreshes(database: Database, now: Date): Promise<number> {
  const { rows } = await sql<{ checks: number }>`
    select count(*) as checks
      from site_checks
     where asked_by = 'refresh'
       and requested_at > ${now}::timestamptz - interval '24 hours'
  `.execute(database)
  return rows[0]?.checks ?? 0
}

/**
 * Returns due sites of Companies and licensed sites: never checked first, then the longest ago. A site is
 * due again after a week, or a day after a failed check.
 */
async function dueDomains(database: Database, now: Date, atMost: number): Promise<string[]> {
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

/** Lets one process schedule at a time. Returns false while another process does. */
async function tryLockRefresh(database: Database): Promise<boolean> {
  const { rows } = await sql<{ locked: boolean }>`
    select pg_try_advisory_xact_lock(
             hashtextextended('baize ' || current_schema() || ' refresh', 0)) as locked
  `.execute(database)
  return rows[0]?.locked ?? false
}
