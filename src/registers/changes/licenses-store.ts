import type { Differences } from '@baize/registers/guard'
import { sql } from 'kysely'
import type { Transaction } from '../../database/open.ts'
import { closeStates } from '../../features/facts/index.ts'
import type { IncomingSnapshot } from '../apply/incoming-snapshot.ts'
import { countDifferences, isSameOrEmpty, isSameOrFilled } from './differences-store.ts'

/**
 * Writes to `license_changes`. Rows with another number, source URL, role or Company are `restated`, which
 * is not reported.
 */
export async function compareLicenses(
  tx: Transaction,
  { stream, isOtherForm }: IncomingSnapshot,
): Promise<Differences> {
  const fields = ['status', 'license_type', 'issued_at', 'expires_at']
  await sql`
    create temp table license_changes on commit drop as
    with staged as (
      select license.*,
             licensee.record_key as holder_key,
             identity.company_id
        from staged_licenses license
        left join staged_licensees licensee on licensee.record_key = license.licensee_key
        left join company_identities identity
          on identity.stream = ${stream.key} and identity.identity_key = licensee.record_key
    ),
    stored as (
      select license.record_key, license.company_id, state.*
        from licenses license
        join license_states state on state.license_id = license.id and state.known_to is null
       where license.stream = ${stream.key}
    ),
    compared as (
      select coalesce(staged.record_key, stored.record_key) as record_key,
             stored.id as stored_id,
             stored.license_id as stored_license_id,
             case
               when stored.id is null then 'added'
               when staged.record_key is null then 'removed'
               when (staged.status, staged.license_type, staged.issued_at, staged.expires_at,
                     staged.holder_key)
                    is distinct from
                    (stored.status, stored.license_type, stored.issued_at, stored.expires_at,
                     stored.licensee_key) then 'changed'
               when (staged.license_number, staged.source_url, staged.role, staged.company_id)
                    is distinct from
                    (stored.license_number, stored.source_url, stored.role, stored.company_id) then 'restated'
               else 'none'
             end as change,
             ${isOtherForm}::boolean and case
               when stored.id is null then not exists (select from stored)
               when staged.record_key is null then not exists (select from staged)
               else ${isSameOrEmpty(...fields)}
                    and coalesce(staged.holder_key = stored.licensee_key, true)
             end as of_form,
             coalesce(${isSameOrFilled(...fields)}
                      and coalesce(staged.holder_key = stored.licensee_key, stored.licensee_key is null),
                      false)
               as is_filled,
             staged.ref, staged.license_number, staged.license_type, staged.status,
             staged.holder_key as licensee_key, staged.issued_at, staged.expires_at,
             staged.source_url, staged.role
        from staged
        full join stored on stored.record_key = staged.record_key
    )
    select * from compared where change <> 'none'`.execute(tx)
  return countDifferences(tx, 'license_changes')
}

export async function applyLicenses(tx: Transaction, snapshot: IncomingSnapshot): Promise<void> {
  await insertLicenses(tx, snapshot)
  await assignCompanies(tx, snapshot)
  const { now, previousTakenAt } = snapshot
  await closeStates(tx, 'license_states', {
    changed: { table: 'license_changes' },
    now,
    seenAt: sql`${previousTakenAt}`,
  })
  await openStates(tx, snapshot)
}

/**
 * Inserts licenses. A returning license has its old ref; one that only discarded snapshots had is first
 * seen anew.
 */
async function insertLicenses(
  tx: Transaction,
  { stream, takenAt, previousTakenAt }: IncomingSnapshot,
): Promise<void> {
  await sql`
    insert into licenses (license_ref, stream, record_key, jurisdiction, first_seen_at)
    select ref, ${stream.key}, record_key, ${stream.market},
           least(
             ${takenAt}::timestamptz,
             case when ${previousTakenAt === null}::boolean then issued_at::timestamptz end
           )
      from license_changes
     where change = 'added'
    on conflict (stream, record_key) do update
       set first_seen_at = excluded.first_seen_at
     where not exists (select from license_states state where state.license_id = licenses.id)`.execute(tx)
}

async function assignCompanies(tx: Transaction, { stream }: IncomingSnapshot): Promise<void> {
  await sql`
    update licenses license
       set company_id = identity.company_id
      from license_changes change
      left join company_identities identity
        on identity.stream = ${stream.key} and identity.identity_key = change.licensee_key
     where license.stream = ${stream.key}
       and license.record_key = change.record_key
       and change.change <> 'removed'
       and license.company_id is distinct from identity.company_id`.execute(tx)
}

async function openStates(tx: Transaction, { stream, now }: IncomingSnapshot): Promise<void> {
  await sql`
    insert into license_states (license_id, license_number, status, license_type, issued_at, expires_at,
                                source_url,
                                role, licensee_key, known_from)
    select license.id, change.license_number, change.status, change.license_type, change.issued_at,
           change.expires_at,
           change.source_url, change.role, change.licensee_key, ${now}
      from license_changes change
      join licenses license
        on license.stream = ${stream.key} and license.record_key = change.record_key
     where change.change <> 'removed'`.execute(tx)
}
