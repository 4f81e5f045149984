import type { Differences } from '@baize/registers/guard'
import { sql } from 'kysely'
import type { Transaction } from '../../database/open.ts'
import { closeStates } from '../../features/facts/index.ts'
import type { IncomingSnapshot } from '../apply/incoming-snapshot.ts'
import { countDifferences, isSameOrEmpty } from './differences-store.ts'

/**
 * Writes to `licensee_changes`. Rows that differ only in trading names or numbers are `restated`, which is
 * not reported.
 */
export async function compareLicensees(
  tx: Transaction,
  { stream, isOtherForm }: IncomingSnapshot,
): Promise<Differences> {
  await sql`
    create temp table licensee_changes on commit drop as
    with stored as (
      select * from licensee_states where stream = ${stream.key} and known_to is null
    ),
    compared as (
      select coalesce(staged.record_key, stored.record_key) as record_key,
             case
               when stored.id is null then 'added'
               when staged.record_key is null then 'removed'
               when (staged.legal_name, staged.country) is distinct from (stored.legal_name, stored.country)
                 then 'changed'
               when (staged.trading_names, staged.registration_number)
                    is distinct from (stored.trading_names, stored.registration_number) then 'restated'
               else 'none'
             end as change,
             ${isOtherForm}::boolean and case
               when stored.id is null then not exists (select from stored)
               when staged.record_key is null then not exists (select from staged_licensees)
               else staged.legal_name = stored.legal_name and ${isSameOrEmpty('country')}
             end as of_form,
             coalesce(staged.legal_name = stored.legal_name and stored.country is null, false) as is_filled,
             stored.id as stored_id,
             stored.legal_name as legal_name_before,
             staged.legal_name, staged.trading_names, staged.country, staged.registration_number
        from staged_licensees staged
        full join stored on stored.record_key = staged.record_key
    )
    select * from compared where change <> 'none'`.execute(tx)
  return countDifferences(tx, 'licensee_changes')
}

export async function applyLicensees(tx: Transaction, snapshot: IncomingSnapshot): Promise<void> {
  const { now, previousTakenAt } = snapshot
  await closeStates(tx, 'licensee_states', {
    changed: { table: 'licensee_changes' },
    now,
    seenAt: sql`${previousTakenAt}`,
  })
  await openStates(tx, snapshot)
}

/**
 * Opens states. A licensee is first seen as in its earliest state, even after a return. The order makes all
 * reads precede the writes: a table that was small when planned is read whole for each row.
 */
async function openStates(tx: Transaction, { stream, takenAt, now }: IncomingSnapshot): Promise<void> {
  await sql`
    insert into licensee_states (stream, record_key, legal_name, trading_names, country, registration_number,
                                 first_seen_at, known_from)
    select ${stream.key}, change.record_key, change.legal_name, change.trading_names, change.country,
           change.registration_number,
           coalesce((
             select min(earlier.first_seen_at)
               from licensee_states earlier
              where earlier.stream = ${stream.key} and earlier.record_key = change.record_key
           ), ${takenAt}),
           ${now}
      from licensee_changes change
     where change.change <> 'removed'
     order by change.record_key collate "C"`.execute(tx)
}
