import { sql } from 'kysely'
import { importStream } from '../../core/import-stream.ts'
import type { Transaction } from '../../database/open.ts'
import { analyse } from '../stage/staging-store.ts'

/**
 * The domains that the staged licenses cover, as authorisations of their licenses. One that the license does not name
 * any more is closed. judged_authorisations keeps what changed, and nothing else.
 */
export async function upsertAuthorisations(tx: Transaction, now: Date): Promise<void> {
  await sql`
    create temp table judged_authorisations on commit drop as
    select coalesce(said.license_id, held.license_id) as license_id,
           coalesce(said.domain_id, held.domain_id) as domain_id,
           said.record_key, said.published, said.jurisdiction, said.first_seen_at, said.last_seen_at,
           held.id as held_id,
           case when held.id is null then 'added' when said.license_id is null then 'gone' else 'seen' end as outcome
      from (
        select license.license_id, mapped.domain_id, staged.license_key || '|' || staged.domain as record_key,
               staged.published, license.jurisdiction, license.last_seen_at,
               case when license.is_new then license.first_seen_at end as first_seen_at
          from staged_license_domains staged
          join judged_licenses license on license.record_key = staged.license_key
          join mapped_domains mapped using (domain)
      ) said
      full join (
        select authorisation.id, authorisation.license_id, authorisation.domain_id, authorisation.last_seen_at
          from judged_licenses license
          join authorisations authorisation on authorisation.license_id = license.license_id
         where authorisation.stream = ${importStream} and authorisation.known_to is null
      ) held
        on held.license_id = said.license_id and held.domain_id = said.domain_id
     where held.id is null
        or said.license_id is null
        or said.last_seen_at > coalesce(held.last_seen_at, '-infinity')`.execute(tx)
  await analyse(tx, 'judged_authorisations')
  await sql`
    update authorisations authorisation
       set last_seen_at = judged.last_seen_at
      from judged_authorisations judged
     where authorisation.id = judged.held_id and judged.outcome = 'seen'`.execute(tx)
  await sql`
    update authorisations authorisation
       set known_to = ${now},
           last_seen_at = coalesce(authorisation.last_seen_at, authorisation.known_from)
      from judged_authorisations judged
     where authorisation.id = judged.held_id and judged.outcome = 'gone'`.execute(tx)
  await sql`
    insert into authorisations
      (stream, record_key, domain_id, market, license_id, published, counts, first_seen_at, last_seen_at, known_from)
    select ${importStream}, record_key, domain_id, jurisdiction, license_id, published, true,
           coalesce(first_seen_at, ${now}::timestamptz), last_seen_at, ${now}::timestamptz
      from judged_authorisations
     where outcome = 'added'
     order by license_id, domain_id`.execute(tx)
}
