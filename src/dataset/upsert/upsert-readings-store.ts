import { sql } from 'kysely'
import { importStream } from '../../journal/events-store.ts'
import { analyse } from '../stage/staging-store.ts'
import type { UpsertContext, UpsertResult } from './upsert-context.ts'

/**
 * Adds readings and never changes them. A line without a date counts as read now, and is added if the
 * platform is new.
 */
export async function upsertReadings({ tx, now }: UpsertContext): Promise<UpsertResult> {
  await sql`
    create temp table compared_readings on commit drop as
    with undated as (
      select distinct on (domain) domain, platform
        from staged_platform_readings
       where seen_at is null
       order by domain, position desc
    )
    select mapped.domain_id, platform.id as platform_id, staged.seen_at
      from staged_platform_readings staged
      join mapped_domains mapped using (domain)
      join platforms platform on platform.platform_key = staged.platform
     where staged.seen_at is not null
     union
    select mapped.domain_id, platform.id, ${now}::timestamptz
      from undated
      join mapped_domains mapped using (domain)
      join platforms platform on platform.platform_key = undated.platform
      left join lateral (
        select stored.platform_id
          from platform_readings stored
         where stored.domain_id = mapped.domain_id
         order by stored.seen_at desc, stored.platform_id
         limit 1
      ) latest on true
     where latest.platform_id is distinct from platform.id`.execute(tx)
  await analyse(tx, 'compared_readings')
  const { rows } = await sql<{ added: number }>`
    with inserted as (
      insert into platform_readings (domain_id, seen_at, platform_id, stream)
      select domain_id, seen_at, platform_id, ${importStream}
        from compared_readings
       order by domain_id, seen_at, platform_id
      on conflict do nothing
      returning domain_id
    ),
    touched as (
      insert into touched_domains (domain_id, in_observations) select distinct domain_id, true from inserted
    )
    select count(*) as added from inserted`.execute(tx)
  return { added: rows[0]?.added ?? 0, changed: 0 }
}
