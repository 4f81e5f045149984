import { sql } from 'kysely'
import { importStream } from '../../core/import-stream.ts'
import type { UpsertContext, UpsertResult } from './upsert-context.ts'

/**
 * Firmographics: of all that sources said of a domain the latest result is held. So files may come in any order and
 * overlap. A line without a date is said now, and is news only if it says something else than what is held.
 */
export async function upsertFirmographics({ tx, now }: UpsertContext): Promise<UpsertResult> {
  const { rows } = await sql<UpsertResult>`
    with said as (
      select distinct on (domain)
             domain, data, coalesce(fetched_at, ${now}::timestamptz) as fetched_at, fetched_at is null as is_undated
        from staged_firmographics
       order by domain, coalesce(fetched_at, ${now}::timestamptz) desc, position desc
    ),
    judged as (
      select mapped.domain_id, said.fetched_at, said.data, held.domain_id is null as is_new
        from said
        join mapped_domains mapped using (domain)
        left join firmographics held on held.domain_id = mapped.domain_id
       where held.domain_id is null
          or said.fetched_at >= held.fetched_at
             and (said.data <> held.data or (said.fetched_at > held.fetched_at and not said.is_undated))
    ),
    written as (
      insert into firmographics (domain_id, fetched_at, data, stream)
      select domain_id, fetched_at, data, ${importStream}
        from judged
       order by domain_id
      on conflict (domain_id) do update
         set fetched_at = excluded.fetched_at,
             data = excluded.data,
             stream = excluded.stream
    )
    select count(*) filter (where is_new) as added,
           count(*) filter (where not is_new) as changed
      from judged`.execute(tx)
  return rows[0] as UpsertResult
}
