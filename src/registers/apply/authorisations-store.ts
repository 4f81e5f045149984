import { sql } from 'kysely'
import type { Transaction } from '../../database/open.ts'
import type { Differences } from './differences.ts'
import type { IncomingSnapshot } from './incoming-snapshot.ts'

/**
 * The differences between the staged authorisations and the open ones of the stream, in `authorisation_changes`,
 * writing nothing else. A license or licensee counts as named only if this snapshot has it too: a register's own
 * account of itself, not what it once said. A license or domain that is not held yet has the id 0. Another spelling, or
 * another Company that the holder is taken for, is `restated`: rewritten, and no change of the register. So is `inferred`: a
 * holder that the reader of an unchanged row found or lost by the rows around it.
 */
export async function compareAuthorisations(
  tx: Transaction,
  { stream }: IncomingSnapshot,
): Promise<Differences> {
  await sql`
    create temp table authorisation_changes on commit drop as
    with staged as (
      select authorisation.*,
             coalesce(domain.id, 0) as domain_id,
             case when named_license.record_key is null then null else coalesce(license.id, 0) end as license_id,
             licensee.record_key as holder_key,
             identity.company_id
        from staged_authorisations authorisation
        left join domains domain on domain.domain = authorisation.domain
        left join staged_licenses named_license on named_license.record_key = authorisation.license_key
        left join licenses license on license.stream = ${stream.key} and license.record_key = named_license.record_key
        left join staged_licensees licensee on licensee.record_key = authorisation.licensee_key
        left join company_identities identity
          on identity.stream = ${stream.key} and identity.identity_key = licensee.record_key
    ),
    held as (
      select * from authorisations where stream = ${stream.key} and known_to is null
    )
    select coalesce(staged.record_key, held.record_key) as record_key,
           case
             when held.id is null then 'added'
             when staged.record_key is null then 'removed'
             when ${stream.infersHolders === true}::boolean
                  and (staged.domain_id, staged.status, staged.counts)
                      is not distinct from (held.domain_id, held.status, held.counts)
                  and (staged.license_id, staged.holder_key) is distinct from (held.license_id, held.licensee_key)
                  and coalesce(staged.license_id = held.license_id, true)
                  and coalesce(staged.holder_key = held.licensee_key, true) then 'inferred'
             when (staged.domain_id, staged.license_id, staged.holder_key, staged.status, staged.counts)
                  is distinct from
                  (held.domain_id, held.license_id, held.licensee_key, held.status, held.counts) then 'changed'
             else 'restated'
           end as change,
           held.id as held_id,
           held.domain_id as held_domain_id,
           case when held.domain_id = staged.domain_id then held.first_seen_at end as held_first_seen_at,
           staged.ref, staged.domain, staged.published, staged.status, staged.counts, staged.license_key,
           staged.holder_key as licensee_key
      from staged
      full join held on held.record_key = staged.record_key
     where held.id is null
        or staged.record_key is null
        or (staged.domain_id, staged.license_id, staged.holder_key, staged.company_id, staged.published, staged.status,
            staged.counts, ${stream.market}::text)
           is distinct from
           (held.domain_id, held.license_id, held.licensee_key, held.company_id, held.published, held.status,
            held.counts, held.market)`.execute(tx)
  await sql`analyze authorisation_changes`.execute(tx)
  const { rows } = await sql<Differences>`
    select count(*) filter (where change = 'added') as added,
           count(*) filter (where change = 'removed') as removed,
           count(*) filter (where change = 'changed') as changed,
           count(*) filter (where change in ('restated', 'inferred')) as restated
      from authorisation_changes`.execute(tx)
  return rows[0] as Differences
}

/** The domains that are listed as before, and only have a holder by inference, or no longer. */
export async function readInferredDomains(tx: Transaction): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{ domain: string }>`
    select distinct domain from authorisation_changes where change = 'inferred'`.execute(tx)
  return new Set(rows.map(row => row.domain))
}

export async function applyAuthorisations(tx: Transaction, snapshot: IncomingSnapshot): Promise<void> {
  await closeAuthorisations(tx, snapshot)
  await openAuthorisations(tx, snapshot)
}

async function closeAuthorisations(
  tx: Transaction,
  { now, previousTakenAt }: IncomingSnapshot,
): Promise<void> {
  await sql`
    update authorisations authorisation
       set known_to = ${now},
           last_seen_at = ${previousTakenAt}
      from authorisation_changes change
     where authorisation.id = change.held_id`.execute(tx)
}

async function openAuthorisations(
  tx: Transaction,
  { stream, takenAt, now }: IncomingSnapshot,
): Promise<void> {
  await sql`
    insert into authorisations (stream, record_key, domain_id, market, license_id, company_id, published, status,
                                counts, licensee_key, first_seen_at, known_from)
    select ${stream.key}, change.record_key, domain.id, ${stream.market}, license.id, identity.company_id,
           change.published, change.status, change.counts, change.licensee_key, coalesce(change.held_first_seen_at, ${takenAt}), ${now}
      from authorisation_changes change
      join domains domain on domain.domain = change.domain
      left join staged_licenses named_license on named_license.record_key = change.license_key
      left join licenses license on license.stream = ${stream.key} and license.record_key = named_license.record_key
      left join company_identities identity
        on identity.stream = ${stream.key} and identity.identity_key = change.licensee_key
     where change.change <> 'removed'`.execute(tx)
}
