import { sql } from 'kysely'
import { importStream } from '../../journal/events-store.ts'
import type { UpsertContext, UpsertResult } from './upsert-context.ts'

// Stores only the latest result of a domain, so that files may come in any order. A line without a date
// counts as fetched now, and only if its data differ.
export async function upsertFirmographics({ tx, now }: UpsertContext): Promise<UpsertResult> {
  const { rows } = await sql<UpsertResult>`
    with lines as (
      select distinct on (domain)
             domain, data, coalesce(fetched_at, ${now}::timestamptz) as fetched_at,
             fetched_at is null as is_undated
        from staged_firmographics
       order by domain, coalesce(fetched_at, ${now}::timestamptz) desc, position desc
    ),
    compared as (
      select mapped.domain_id, line.fetched_at, line.data, stored.domain_id is null as is_new
        from lines line
        join mapped_domains mapped using (domain)
        left join firmographics stored on stored.domain_id = mapped.domain_id
       where stored.domain_id is null
          or line.fetched_at >= stored.fetched_at
             and (line.data <> stored.data or (line.fetched_at > stored.fetched_at and not line.is_undated))
    ),
    written as (
      insert into firmographics (domain_id, fetched_at, data, stream)
      select domain_id, fetched_at, data, ${importStream}
        from compared
       order by domain_id
      on conflict (domain_id) do update
         set fetched_at = excluded.fetched_at,
             data = excluded.data,
             stream = excluded.stream
    )
    select count(*) filter (where is_new) as added,
           count(*) filter (where not is_new) as changed
      from compared`.execute(tx)
  return rows[0] as UpsertResult
}
