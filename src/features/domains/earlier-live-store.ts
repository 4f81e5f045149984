import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../../database/open.ts'

/**
 * When these domains showed an open site: `domain_id`, `seen_at`. A check saw it live and not `launching`, or
 * a check or an import has something that open sites show. A casino that only its scripts fill is live, too,
 * though a check cannot say that it has launched.
 */
export const timesSeenLive = (domainIds: readonly number[]): RawBuilder<unknown> => sql`
    select presence.domain_id, presence.seen_at
      from site_findings presence
      join site_checks checked on checked.reading_id = presence.reading_id
      left join site_findings launch on launch.reading_id = presence.reading_id and launch.section = 'launch'
     where presence.domain_id = any (${[...domainIds]}::bigint[])
       and presence.section = 'web_presence'
       and presence.value ->> 'status' = 'live'
       and launch.value ->> 'status' is distinct from 'launching'
     union all
    select domain_id, first_seen_at
      from observations
     where domain_id = any (${[...domainIds]}::bigint[])
       and section in ('payment_methods', 'supplier_brands')
     union all
    select domain_id, seen_at
      from platform_readings
     where domain_id = any (${[...domainIds]}::bigint[])`

/** Whether the domain showed an open site before `before`. Nothing is `pre_launch` after that (§2.10). */
export async function wasLive(database: Database, domainId: number, before: Date): Promise<boolean> {
  const { rows } = await sql`
    select from (${timesSeenLive([domainId])}) live where seen_at < ${before} limit 1`.execute(database)
  return rows.length > 0
}
