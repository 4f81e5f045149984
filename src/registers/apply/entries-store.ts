import { sql } from 'kysely'
import { scopeRulesVersion } from '../../core/judge-entry.ts'
import type { Transaction } from '../../database/open.ts'
import type { Differences } from './differences.ts'
import type { IncomingSnapshot } from './incoming-snapshot.ts'
import { findWithdrawn } from './withdrawals-store.ts'

/** Writes to `entry_changes`; a new domain has the id 0. A delisted entry may be absent. */
export async function compareEntries(tx: Transaction, snapshot: IncomingSnapshot): Promise<Differences> {
  await sql`
    create temp table entry_changes on commit drop as
    with staged as (
      select entry.*,
             case when entry.domain is null then null else coalesce(domain.id, 0) end as domain_id
        from staged_entries entry
        left join domains domain on domain.domain = entry.domain
    ),
    stored as (
      select * from blocklist_entries where stream = ${snapshot.stream.key} and known_to is null
    )
    select coalesce(staged.record_key, stored.record_key) as record_key,
           case
             when stored.id is null then 'added'
             when staged.record_key is null then 'absent'
             when stored.listed and not staged.listed then 'delisted'
             when staged.listed and not stored.listed then 'returned'
             else 'changed'
           end as change,
           stored.id as stored_id,
           stored.domain_id as stored_domain_id,
           case when stored.domain_id is not distinct from staged.domain_id then stored.first_seen_at end
             as stored_first_seen_at,
           stored.last_seen_at as stored_last_seen_at,
           stored.missing_at as stored_missing_at,
           staged.ref, staged.published, staged.scope, staged.domain, staged.listed, staged.listed_at,
           staged.delisted_at, staged.listed_as
      from staged
      full join stored on stored.record_key = staged.record_key
     where stored.id is null
        or (staged.record_key is null and stored.listed)
        or (staged.record_key is not null
            and (staged.published, staged.scope, staged.domain_id, staged.listed, staged.listed_at,
                 staged.delisted_at, ${snapshot.stream.market}::text)
                is distinct from
                (stored.published, stored.scope, stored.domain_id, stored.listed, stored.listed_at,
                 stored.delisted_at, stored.regulator))`.execute(tx)
  await sql`analyze entry_changes`.execute(tx)
  const { rows } = await sql<Differences>`
    select count(*) filter (where change in ('added', 'returned')) as added,
           count(*) filter (where change in ('absent', 'delisted')) as removed,
           count(*) filter (where change = 'changed') as changed,
           0 as restated
      from entry_changes`.execute(tx)
  return rows[0] as Differences
}

export async function applyEntries(tx: Transaction, snapshot: IncomingSnapshot): Promise<void> {
  await findWithdrawn(tx, snapshot)
  await closeEntries(tx, snapshot)
  await openEntries(tx, snapshot)
  // Entries that a newer parser no longer reads were not removed by the register.
  if (!snapshot.isCorrection && !snapshot.leavesAbsent) await openAbsentAsDelisted(tx, snapshot)
}

async function closeEntries(tx: Transaction, { now, previousTakenAt }: IncomingSnapshot): Promise<void> {
  await sql`
    update blocklist_entries entry
       set known_to = ${now},
           last_seen_at = coalesce(entry.last_seen_at, ${previousTakenAt}),
           withdrawn = change.record_key in (select record_key from withdrawn_entries)
      from entry_changes change
     where entry.id = change.stored_id`.execute(tx)
}

/**
 * Dates of contract section 9: first seen on the register's own date in a baseline, later when a snapshot
 * contains it; a new delisted entry before its deletion.
 */
async function openEntries(tx: Transaction, snapshot: IncomingSnapshot): Promise<void> {
  const { stream, takenAt, previousTakenAt, now } = snapshot
  await sql`
    insert into blocklist_entries (stream, record_key, regulator, scope, published, domain_id, listed,
                                   first_seen_at, last_seen_at, missing_at, listed_at, delisted_at,
                                   known_from, listed_as, scope_rules)
    select ${stream.key}, change.record_key, ${stream.market}, change.scope, change.published, domain.id,
           change.listed, seen.first_at,
           case
             when not change.listed then greatest(seen.first_at, least(${takenAt}, coalesce(
               change.delisted_at,
               change.stored_last_seen_at,
               case when change.stored_id is not null then ${previousTakenAt}::timestamptz end
             )))
           end,
           case
             when change.listed or change.delisted_at is not null then null
             when change.change = 'delisted' then ${takenAt}
             else change.stored_missing_at
           end,
           change.listed_at, change.delisted_at, ${now}, change.listed_as, ${scopeRulesVersion}
      from entry_changes change
      left join domains domain on domain.domain = change.domain
      left join withdrawn_entries withdrawn on withdrawn.replaced_by = change.record_key
      left join entry_changes misprinted on misprinted.record_key = withdrawn.record_key
      left join blocklist_entries misprint on misprint.id = misprinted.stored_id,
      lateral (
        select case
                 when change.change in ('delisted', 'changed') and change.stored_first_seen_at is not null
                   then change.stored_first_seen_at
                 when misprint.id is not null
                   then coalesce(change.stored_first_seen_at, misprint.first_seen_at)
                 else least(
                   ${takenAt}::timestamptz,
                   case when ${previousTakenAt === null}::boolean then change.listed_at end,
                   case when not change.listed then change.delisted_at end
                 )
               end as first_at
      ) seen
     where change.change <> 'absent'`.execute(tx)
}

/** Last seen in the snapshot before. */
async function openAbsentAsDelisted(
  tx: Transaction,
  { takenAt, previousTakenAt, now }: IncomingSnapshot,
): Promise<void> {
  await sql`
    insert into blocklist_entries (stream, record_key, regulator, scope, published, domain_id, listed,
                                   first_seen_at, last_seen_at, missing_at, listed_at, delisted_at,
                                   known_from, listed_as, scope_rules)
    select entry.stream, entry.record_key, entry.regulator, entry.scope, entry.published,
           entry.domain_id, false,
           entry.first_seen_at, ${previousTakenAt}, ${takenAt}, entry.listed_at, null, ${now},
           entry.listed_as, entry.scope_rules
      from entry_changes change
      join blocklist_entries entry on entry.id = change.stored_id
     where change.change = 'absent'
       and change.record_key not in (select record_key from withdrawn_entries)`.execute(tx)
}
