import { scopeRulesVersion } from '@baize/registers/entries'
import { sql } from 'kysely'
import type { Transaction } from '../../database/open.ts'
import { closeStates, extendStates } from '../../features/facts/index.ts'
import { importStream } from '../../journal/events-store.ts'
import { analyse, dropEarlierLines } from '../stage/staging-store.ts'
import type { UpsertContext, UpsertResult } from './upsert-context.ts'

// A change of `listed` or of the first date closes the open row and opens a new one. A later last_seen_at of
// a listed site updates the open row.
export async function upsertBlocklistEntries({ tx, now }: UpsertContext): Promise<UpsertResult> {
  await dropEarlierLines(tx, 'staged_blocklist_entries', ['record_key'])
  await compareEntries(tx, now)
  const table = 'compared_blocklist_entries'
  await extendStates(tx, 'blocklist_entries', { table, where: sql`change.outcome = 'seen'` })
  const changed = { table, where: sql`change.outcome = 'changed'` }
  await closeStates(tx, 'blocklist_entries', { changed, now, seenAt: sql`state.known_from` })
  await sql`
    insert into blocklist_entries
      (stream, record_key, regulator, scope, published, domain_id, listed, first_seen_at, last_seen_at,
       known_from, listed_as, scope_rules)
    select ${importStream}, record_key, regulator, scope, published, domain_id, listed, first_seen_at,
           last_seen_at, ${now}::timestamptz, listed_as, ${scopeRulesVersion}
      from compared_blocklist_entries
     where outcome in ('added', 'changed')
     order by domain_id, regulator`.execute(tx)
  await sql`
    insert into touched_domains (domain_id, in_registers)
    select domain_id, true from compared_blocklist_entries where outcome in ('added', 'changed')`.execute(tx)
  const { rows } = await sql<UpsertResult>`
    select count(*) filter (where outcome = 'added') as added,
           count(*) filter (where outcome in ('changed', 'seen')) as changed
      from compared_blocklist_entries`.execute(tx)
  return rows[0] as UpsertResult
}

async function compareEntries(tx: Transaction, now: Date): Promise<void> {
  await sql`
    create temp table compared_blocklist_entries on commit drop as
    select dated.*,
           case
             when stored_id is null then 'added'
             when (listed, first_seen_at) is distinct from (stored_listed, stored_first_seen_at)
               then 'changed'
             when last_seen_at is not distinct from stored_last_seen_at then 'unchanged'
             when listed then 'seen'
             else 'changed'
           end as outcome
      from (
        select staged.record_key, staged.regulator, staged.published, staged.listed, mapped.domain_id,
               staged.scope, staged.listed_as,
               stored.id as stored_id, stored.listed as stored_listed,
               stored.first_seen_at as stored_first_seen_at, stored.last_seen_at as stored_last_seen_at,
               coalesce(staged.first_seen_at, stored.first_seen_at, staged.last_seen_at, ${now}::timestamptz)
                 as first_seen_at,
               coalesce(staged.last_seen_at,
                        case when stored.listed = staged.listed then stored.last_seen_at end,
                        case when not staged.listed then ${now}::timestamptz end) as last_seen_at
          from staged_blocklist_entries staged
          join mapped_domains mapped using (domain)
          left join blocklist_entries stored
            on stored.stream = ${importStream}
           and stored.record_key = staged.record_key
           and stored.known_to is null
      ) dated`.execute(tx)
  await analyse(tx, 'compared_blocklist_entries')
}
