import { sql } from 'kysely'
import type { Transaction } from '../../database/open.ts'
import { analyse } from '../stage/staging-store.ts'
import type { UpsertContext, UpsertResult } from './upsert-context.ts'

/** Stores the earliest first date, latest last date and latest value, so that files may come in any order. */
export async function upsertObservations({ tx, now }: UpsertContext): Promise<UpsertResult> {
  await compareObservations(tx, now)
  await sql`
    insert into imported_observations
      (domain_id, section, value_key, value, first_seen_at, last_seen_at, last_confirmed_at)
    select domain_id, section, value_key, value, first_seen_at, last_seen_at, last_confirmed_at
      from compared_observations
     order by domain_id, section, value_key
    on conflict (domain_id, section, value_key) do update
       set value = excluded.value,
           first_seen_at = excluded.first_seen_at,
           last_seen_at = excluded.last_seen_at,
           last_confirmed_at = excluded.last_confirmed_at`.execute(tx)
  await sql`
    insert into touched_domains (domain_id, in_observations)
    select distinct domain_id, true from compared_observations`.execute(tx)
  const { rows } = await sql<UpsertResult>`
    select count(*) filter (where is_new) as added,
           count(*) filter (where not is_new) as changed
      from compared_observations`.execute(tx)
  return rows[0] as UpsertResult
}

async function compareObservations(tx: Transaction, now: Date): Promise<void> {
  await sql`
    create temp table compared_observations on commit drop as
    with lines as (
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
    combined as (
      select mapped.domain_id, line.section, line.value_key,
             stored.domain_id is null as is_new,
             case when line.value_seen_at < stored.last_seen_at then stored.value
                  else line.value end as value,
             coalesce(least(stored.first_seen_at, line.first_seen_at), ${now}::timestamptz) as first_seen_at,
             coalesce(greatest(stored.last_seen_at, line.last_seen_at), ${now}::timestamptz) as last_seen_at,
             greatest(stored.last_confirmed_at, line.last_confirmed_at) as last_confirmed_at,
             (stored.value, stored.first_seen_at, stored.last_seen_at, stored.last_confirmed_at) as stored_row
        from lines line
        join mapped_domains mapped using (domain)
        left join imported_observations stored
          on stored.domain_id = mapped.domain_id
         and stored.section = line.section
         and stored.value_key = line.value_key
    )
    select domain_id, section, value_key, is_new, value, first_seen_at,
           greatest(first_seen_at, last_seen_at) as last_seen_at, last_confirmed_at
      from combined
     where is_new
        or stored_row
           is distinct from
           (value, first_seen_at, greatest(first_seen_at, last_seen_at), last_confirmed_at)
  `.execute(tx)
  await analyse(tx, 'compared_observations')
}
