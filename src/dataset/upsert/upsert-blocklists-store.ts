import { sql } from 'kysely'
import { importStream } from '../../core/import-stream.ts'
import { analyse, keepLastLines } from '../stage/staging-store.ts'
import type { UpsertContext, UpsertResult } from './upsert-context.ts'

/**
 * Blocklist entries. Closed and opened anew when the site is listed or dropped or a date of it is corrected; a later
 * last_seen_at of a listed site is a confirmation, and moves on the open row.
 */
export async function upsertBlocklistEntries({ tx, now }: UpsertContext): Promise<UpsertResult> {
  await keepLastLines(tx, 'staged_blocklist_entries', ['record_key'])
  await sql`
    create temp table judged_blocklist_entries on commit drop as
    select dated.*,
           case
             when held_id is null then 'added'
             when (listed, first_seen_at) is distinct from (held_listed, held_first_seen_at) then 'changed'
             when last_seen_at is not distinct from held_last_seen_at then 'unchanged'
             when listed then 'seen'
             else 'changed'
           end as outcome
      from (
        select staged.record_key, staged.regulator, staged.published, staged.listed, mapped.domain_id,
               held.id as held_id, held.listed as held_listed, held.first_seen_at as held_first_seen_at,
               held.last_seen_at as held_last_seen_at,
               coalesce(staged.first_seen_at, held.first_seen_at, staged.last_seen_at, ${now}::timestamptz)
                 as first_seen_at,
               coalesce(staged.last_seen_at,
                        case when held.listed = staged.listed then held.last_seen_at end,
                        case when not staged.listed then ${now}::timestamptz end) as last_seen_at
          from staged_blocklist_entries staged
          join mapped_domains mapped using (domain)
          left join blocklist_entries held
            on held.stream = ${importStream} and held.record_key = staged.record_key and held.known_to is null
      ) dated`.execute(tx)
  await analyse(tx, 'judged_blocklist_entries')
  await sql`
    update blocklist_entries entry
       set last_seen_at = judged.last_seen_at
      from judged_blocklist_entries judged
     where entry.id = judged.held_id and judged.outcome = 'seen'`.execute(tx)
  await sql`
    update blocklist_entries entry
       set known_to = ${now},
           last_seen_at = coalesce(entry.last_seen_at, entry.known_from)
      from judged_blocklist_entries judged
     where entry.id = judged.held_id and judged.outcome = 'changed'`.execute(tx)
  await sql`
    insert into blocklist_entries
      (stream, record_key, regulator, scope, published, domain_id, listed, first_seen_at, last_seen_at, known_from)
    select ${importStream}, record_key, regulator, 'domain', published, domain_id, listed, first_seen_at,
           last_seen_at, ${now}::timestamptz
      from judged_blocklist_entries
     where outcome in ('added', 'changed')
     order by domain_id, regulator`.execute(tx)
  await sql`
    insert into touched_domains (domain_id)
    select domain_id from judged_blocklist_entries where outcome in ('added', 'changed')`.execute(tx)
  const { rows } = await sql<UpsertResult>`
    select count(*) filter (where outcome = 'added') as added,
           count(*) filter (where outcome in ('changed', 'seen')) as changed
      from judged_blocklist_entries`.execute(tx)
  return rows[0] as UpsertResult
}
