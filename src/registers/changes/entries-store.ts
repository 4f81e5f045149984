import { scopeRulesVersion } from '@baize/registers/entries'
import type { Differences } from '@baize/registers/guard'
import { type RawBuilder, sql } from 'kysely'
import type { Transaction } from '../../database/open.ts'
import { closeStates } from '../../features/facts/index.ts'
import type { IncomingSnapshot } from '../apply/incoming-snapshot.ts'
import { isSameOrEmpty, isSameOrFilled } from './differences-store.ts'
import { findWithdrawn, type Withdrawn } from './withdrawals-store.ts'

/** Writes to `entry_changes`; a new domain has the id 0. A delisted entry may be absent. */
export async function compareEntries(tx: Transaction, snapshot: IncomingSnapshot): Promise<Differences> {
  const { isOtherForm } = snapshot
  if (isOtherForm) await matchOtherForm(tx, snapshot)
  const storedKey = isOtherForm
    ? sql`coalesce(other_form.stored_key, entry.record_key)`
    : sql`entry.record_key`
  const otherForm = isOtherForm
    ? sql`left join other_form on other_form.staged_key = entry.record_key`
    : sql``
  await sql`
    create temp table entry_changes on commit drop as
    with staged as (
      select entry.*,
             ${storedKey} as stored_key,
             case when entry.domain is null then null else coalesce(domain.id, 0) end as domain_id
        from staged_entries entry
        ${otherForm}
        left join domains domain on domain.domain = entry.domain
    ),
    stored as (
      select * from blocklist_entries where stream = ${snapshot.stream.key} and known_to is null
    ),
    known as (
      select domain_id, min(first_seen_at) as first_seen_at
        from stored
       where ${isOtherForm}::boolean and listed and scope = 'domain'
       group by domain_id
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
           case
             when stored.id is null and staged.listed and staged.scope = 'domain' then known.first_seen_at
             when stored.domain_id is not distinct from staged.domain_id then stored.first_seen_at
           end as stored_first_seen_at,
           coalesce(${isOtherForm}::boolean and case
             when stored.id is null and not staged.listed then staged.listed_at <= ${snapshot.previousTakenAt}
             when stored.id is null
               then staged.scope = 'domain' and known.domain_id is not null
             when staged.record_key is null
               then stored.scope = 'domain' and stored.domain_id in (
                 select domain_id from staged where listed and scope = 'domain'
               )
             else (staged.scope, staged.listed) = (stored.scope, stored.listed)
                  and staged.domain_id is not distinct from stored.domain_id
                  and ${isSameOrEmpty('listed_at', 'delisted_at')}
           end, false) as of_form,
           coalesce((staged.published, staged.scope, staged.listed)
                    = (stored.published, stored.scope, stored.listed)
                    and staged.domain_id is not distinct from stored.domain_id
                    and ${isSameOrFilled('listed_at', 'delisted_at')}, false) as is_filled,
           stored.last_seen_at as stored_last_seen_at,
           stored.missing_at as stored_missing_at,
           staged.ref, staged.published, staged.scope, staged.domain, staged.listed, staged.listed_at,
           staged.delisted_at, staged.listed_as
      from staged
      full join stored on stored.record_key = staged.stored_key
      left join known on known.domain_id = staged.domain_id
     where stored.id is null
        or (staged.record_key is null and stored.listed)
        or (staged.record_key is not null
            and (staged.record_key, staged.published, staged.scope, staged.domain_id, staged.listed,
                 staged.listed_at, staged.delisted_at, ${snapshot.stream.market}::text)
                is distinct from
                (stored.record_key, stored.published, stored.scope, stored.domain_id, stored.listed,
                 stored.listed_at, stored.delisted_at, stored.regulator))`.execute(tx)
  await sql`analyze entry_changes`.execute(tx)
  const { rows } = await sql<Differences>`
    select count(*) filter (where change in ('added', 'returned') and not of_form) as added,
           count(*) filter (where change in ('absent', 'delisted') and not of_form) as removed,
           count(*) filter (where change = 'changed' and not of_form) as changed,
           count(*) filter (where change = 'changed' and not of_form and is_filled) as filled,
           count(*) filter (where of_form) as restated
      from entry_changes`.execute(tx)
  return rows[0] as Differences
}

/**
 * Writes to `other_form` the pairs of an entry read now and a listed one in force that are the same object.
 * A mirror's list has only hosts; the register's keys also have the day of each listing.
 */
async function matchOtherForm(tx: Transaction, { stream }: IncomingSnapshot): Promise<void> {
  await sql`
    create temp table other_form on commit drop as
    with staged as (
      select distinct on (object) object, record_key
        from (select *, ${listedObject(sql`record_key`)} as object from staged_entries) entry
       order by object, listed desc, listed_at desc nulls last, record_key collate "C"
    ),
    stored as (
      select distinct on (object) object, record_key
        from (
          select *, ${listedObject(sql`record_key`)} as object
            from blocklist_entries
           where stream = ${stream.key} and known_to is null and listed
        ) entry
       order by object, listed_at desc nulls last, record_key collate "C"
    )
    select staged.record_key as staged_key, stored.record_key as stored_key
      from staged
      join stored using (object)
     where not exists (select from staged_entries entry where entry.record_key = stored.record_key)
       and not exists (
         select from blocklist_entries entry
          where entry.stream = ${stream.key}
            and entry.record_key = staged.record_key
            and entry.known_to is null
       )`.execute(tx)
  await sql`analyze other_form`.execute(tx)
}

/** Returns the record key without the date that some registers append for each new listing. */
export function listedObject(recordKey: RawBuilder<unknown>): RawBuilder<string> {
  return sql`regexp_replace(${recordKey}, '@\\d{4}-\\d\\d-\\d\\d(T[\\d:.]+Z)?$', '')`
}

export async function applyEntries(tx: Transaction, snapshot: IncomingSnapshot): Promise<void> {
  const withdrawn = await findWithdrawn(tx, snapshot)
  const { now, previousTakenAt } = snapshot
  const changed = { table: 'entry_changes' }
  await closeStates(tx, 'blocklist_entries', { changed, now, seenAt: sql`${previousTakenAt}` })
  if (withdrawn.keys.length > 0) await markWithdrawn(tx, withdrawn)
  await openEntries(tx, snapshot, withdrawn)
  // After a correction this is skipped, because the register did not remove entries that only the parser no
  // longer reads.
  if (!snapshot.isCorrection) await openAbsentAsDelisted(tx, snapshot, withdrawn)
}

async function markWithdrawn(tx: Transaction, { keys }: Withdrawn): Promise<void> {
  await sql`
    update blocklist_entries entry
       set withdrawn = true
      from entry_changes change
     where change.record_key = any (${keys}::text[]) and entry.id = change.stored_id`.execute(tx)
}

/**
 * Opens entries with the dates of contract section 9. In a baseline an entry is first seen on the
 * register's date, later when a snapshot contains it. A new delisted entry is first seen before its
 * deletion.
 */
async function openEntries(
  tx: Transaction,
  snapshot: IncomingSnapshot,
  { keys, replacedBy }: Withdrawn,
): Promise<void> {
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
      left join unnest(${keys}::text[], ${replacedBy}::text[]) as withdrawn (record_key, replaced_by)
        on withdrawn.replaced_by = change.record_key
      left join entry_changes misprinted on misprinted.record_key = withdrawn.record_key
      left join blocklist_entries misprint on misprint.id = misprinted.stored_id,
      lateral (
        select case
                 when (change.change in ('delisted', 'changed') or change.of_form)
                      and change.stored_first_seen_at is not null
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

/** Opens absent entries as delisted, last seen in the snapshot before. */
async function openAbsentAsDelisted(
  tx: Transaction,
  { takenAt, previousTakenAt, now }: IncomingSnapshot,
  { keys }: Withdrawn,
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
       and not change.of_form
       and change.record_key <> all (${keys}::text[])`.execute(tx)
}
