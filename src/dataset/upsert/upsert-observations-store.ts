import { sql } from 'kysely'
import { importStream } from '../../core/import-stream.ts'
import { analyse } from '../stage/staging-store.ts'
import type { UpsertContext, UpsertResult } from './upsert-context.ts'

/**
 * Observations: the dates of all that was seen are merged, first the earliest and last the latest, and the value is
 * that of the latest sight. So files may come in any order and overlap.
 */
export async function upsertObservations({ tx, now }: UpsertContext): Promise<UpsertResult> {
  await sql`
    create temp table judged_observations on commit drop as
    with said as (
      select distinct on (domain, section, value_key)
             domain, section, value_key, value,
             coalesce(last_seen_at, ${now}::timestamptz) as value_seen_at,
             min(coalesce(first_seen_at, last_seen_at)) over same as first_seen_at,
             max(last_seen_at) over same as last_seen_at,
             max(last_confirmed_at) over same as last_confirmed_at
        from staged_observations
      window same as (partition by domain, section, value_key)
       order by domain, section, value_key, value_seen_at desc, position desc
    ),
    merged as (
      select mapped.domain_id, said.section, said.value_key,
             held.domain_id is null as is_new,
             case when said.value_seen_at < held.last_seen_at then held.value else said.value end as value,
             coalesce(least(held.first_seen_at, said.first_seen_at), ${now}::timestamptz) as first_seen_at,
             coalesce(greatest(held.last_seen_at, said.last_seen_at), ${now}::timestamptz) as last_seen_at,
             greatest(held.last_confirmed_at, said.last_confirmed_at) as last_confirmed_at,
             (held.value, held.first_seen_at, held.last_seen_at, held.last_confirmed_at) as held
        from said
        join mapped_domains mapped using (domain)
        left join observations held
          on held.domain_id = mapped.domain_id and held.section = said.section and held.value_key = said.value_key
    )
    select domain_id, section, value_key, is_new, value, first_seen_at,
           greatest(first_seen_at, last_seen_at) as last_seen_at, last_confirmed_at
      from merged
     where is_new
        or held is distinct from (value, first_seen_at, greatest(first_seen_at, last_seen_at), last_confirmed_at)
  `.execute(tx)
  await analyse(tx, 'judged_observations')
  await sql`
    insert into observations
      (domain_id, section, value_key, value, first_seen_at, last_seen_at, last_confirmed_at, stream)
    select domain_id, section, value_key, value, first_seen_at, last_seen_at, last_confirmed_at, ${importStream}
      from judged_observations
     order by domain_id, section, value_key
    on conflict (domain_id, section, value_key) do update
       set value = excluded.value,
           first_seen_at = excluded.first_seen_at,
           last_seen_at = excluded.last_seen_at,
           last_confirmed_at = excluded.last_confirmed_at`.execute(tx)
  await sql`insert into touched_domains (domain_id) select distinct domain_id from judged_observations`.execute(
    tx,
  )
  const { rows } = await sql<UpsertResult>`
    select count(*) filter (where is_new) as added,
           count(*) filter (where not is_new) as changed
      from judged_observations`.execute(tx)
  return rows[0] as UpsertResult
}
