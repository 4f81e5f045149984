import type { Differences } from '@baize/registers/guard'
import { sql } from 'kysely'
import type { Transaction } from '../../database/open.ts'
import { closeStates } from '../../features/facts/index.ts'
import type { IncomingSnapshot } from '../apply/incoming-snapshot.ts'
import { countDifferences, isSameOrEmpty, isSameOrFilled } from './differences-store.ts'

/**
 * Writes to `authorisation_changes`; new licenses and domains have the id 0. Not reported are `restated`
 * (another spelling or Company) and `inferred` rows (an unchanged row whose holder was inferred from other
 * rows).
 */
export async function compareAuthorisations(
  tx: Transaction,
  { stream, isOtherForm }: IncomingSnapshot,
): Promise<Differences> {
  await sql`
    create temp table authorisation_changes on commit drop as
    with staged as (
      select authorisation.*,
             coalesce(domain.id, 0) as domain_id,
             case when named_license.record_key is null then null else coalesce(license.id, 0) end
               as license_id,
             licensee.record_key as holder_key,
             identity.company_id
        from staged_authorisations authorisation
        left join domains domain on domain.domain = authorisation.domain
        left join staged_licenses named_license on named_license.record_key = authorisation.license_key
        left join licenses license
          on license.stream = ${stream.key} and license.record_key = named_license.record_key
        left join staged_licensees licensee on licensee.record_key = authorisation.licensee_key
        left join company_identities identity
          on identity.stream = ${stream.key} and identity.identity_key = licensee.record_key
    ),
    stored as (
      select * from authorisations where stream = ${stream.key} and known_to is null
    ),
    known as (
      select domain_id, min(first_seen_at) as first_seen_at
        from stored
       where ${isOtherForm}::boolean and counts
       group by domain_id
    )
    select coalesce(staged.record_key, stored.record_key) as record_key,
           case
             when stored.id is null then 'added'
             when staged.record_key is null then 'removed'
             when ${stream.infersHolders === true}::boolean
                  and (staged.domain_id, staged.status, staged.counts)
                      is not distinct from (stored.domain_id, stored.status, stored.counts)
                  and (staged.license_id, staged.holder_key)
                      is distinct from (stored.license_id, stored.licensee_key)
                  and coalesce(staged.license_id = stored.license_id, true)
                  and coalesce(staged.holder_key = stored.licensee_key, true) then 'inferred'
             when (staged.domain_id, staged.license_id, staged.holder_key, staged.status, staged.counts)
                  is distinct from
                  (stored.domain_id, stored.license_id, stored.licensee_key, stored.status, stored.counts)
               then 'changed'
             else 'restated'
           end as change,
           stored.id as stored_id,
           stored.domain_id as stored_domain_id,
           case
             when stored.domain_id = staged.domain_id then stored.first_seen_at
             when stored.id is null then known.first_seen_at
           end as stored_first_seen_at,
           coalesce(${isOtherForm}::boolean and case
             when stored.id is null
               then staged.counts and known.domain_id is not null
             when staged.record_key is null
               then stored.counts and stored.domain_id in (select domain_id from staged where counts)
             else (staged.domain_id, staged.counts) = (stored.domain_id, stored.counts)
                  and ${isSameOrEmpty('status', 'license_id')}
                  and coalesce(staged.holder_key = stored.licensee_key, true)
           end, false) as of_form,
           coalesce((staged.domain_id, staged.counts) = (stored.domain_id, stored.counts)
                    and ${isSameOrFilled('status', 'license_id')}
                    and coalesce(staged.holder_key = stored.licensee_key, stored.licensee_key is null), false)
             as is_filled,
           staged.ref, staged.domain, staged.published, staged.status, staged.counts, staged.license_key,
           staged.holder_key as licensee_key
      from staged
      full join stored on stored.record_key = staged.record_key
      left join known on known.domain_id = staged.domain_id
     where stored.id is null
        or staged.record_key is null
        or (staged.domain_id, staged.license_id, staged.holder_key, staged.company_id, staged.published,
            staged.status, staged.counts, ${stream.market}::text)
           is distinct from
           (stored.domain_id, stored.license_id, stored.licensee_key, stored.company_id, stored.published,
            stored.status, stored.counts, stored.market)`.execute(tx)
  return countDifferences(tx, 'authorisation_changes')
}

/** Returns the domains of rows that differ only in their holder. */
export async function readInferredDomains(tx: Transaction): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{ domain: string }>`
    select distinct domain from authorisation_changes where change = 'inferred' or of_form`.execute(tx)
  return new Set(rows.map(row => row.domain))
}

export async function applyAuthorisations(tx: Transaction, snapshot: IncomingSnapshot): Promise<void> {
  const { now, previousTakenAt } = snapshot
  await closeStates(tx, 'authorisations', {
    changed: { table: 'authorisation_changes' },
    now,
    seenAt: sql`${previousTakenAt}`,
  })
  await openAuthorisations(tx, snapshot)
}

async function openAuthorisations(
  tx: Transaction,
  { stream, takenAt, now }: IncomingSnapshot,
): Promise<void> {
  await sql`
    insert into authorisations (stream, record_key, domain_id, market, license_id, company_id, published,
                                status,
                                counts, licensee_key, first_seen_at, known_from)
    select ${stream.key}, change.record_key, domain.id, ${stream.market}, license.id, identity.company_id,
           change.published, change.status, change.counts, change.licensee_key,
           coalesce(change.stored_first_seen_at, ${takenAt}), ${now}
      from authorisation_changes change
      join domains domain on domain.domain = change.domain
      left join staged_licenses named_license on named_license.record_key = change.license_key
      left join licenses license
        on license.stream = ${stream.key} and license.record_key = named_license.record_key
      left join company_identities identity
        on identity.stream = ${stream.key} and identity.identity_key = change.licensee_key
     where change.change <> 'removed'`.execute(tx)
}
