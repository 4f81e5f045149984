import { sql } from 'kysely'
import type { Transaction } from '../../database/open.ts'
import { closeStates, extendStates } from '../../features/facts/index.ts'
import { importStream } from '../../journal/events-store.ts'
import { analyse } from '../stage/staging-store.ts'

/** Writes the domains of the staged licenses, and closes those that a license no longer lists. */
export async function upsertAuthorisations(tx: Transaction, now: Date): Promise<void> {
  await sql`
    create temp table compared_authorisations on commit drop as
    select coalesce(line.license_id, stored.license_id) as license_id,
           coalesce(line.domain_id, stored.domain_id) as domain_id,
           line.record_key, line.published, line.jurisdiction, line.first_seen_at, line.last_seen_at,
           stored.id as stored_id,
           case when stored.id is null then 'added'
                when line.license_id is null then 'gone'
                else 'seen'
           end as outcome
      from (
        select license.license_id, mapped.domain_id, staged.license_key || '|' || staged.domain as record_key,
               staged.published, license.jurisdiction, license.last_seen_at,
               case when license.is_new then license.first_seen_at end as first_seen_at
          from staged_license_domains staged
          join compared_licenses license on license.record_key = staged.license_key
          join mapped_domains mapped using (domain)
      ) line
      full join (
        select authorisation.id, authorisation.license_id, authorisation.domain_id, authorisation.last_seen_at
          from compared_licenses license
          join authorisations authorisation on authorisation.license_id = license.license_id
         where authorisation.stream = ${importStream} and authorisation.known_to is null
      ) stored
        on stored.license_id = line.license_id and stored.domain_id = line.domain_id
     where stored.id is null
        or line.license_id is null
        or line.last_seen_at > coalesce(stored.last_seen_at, '-infinity')`.execute(tx)
  await analyse(tx, 'compared_authorisations')
  const table = 'compared_authorisations'
  await extendStates(tx, 'authorisations', { table, where: sql`change.outcome = 'seen'` })
  const changed = { table, where: sql`change.outcome = 'gone'` }
  await closeStates(tx, 'authorisations', { changed, now, seenAt: sql`state.known_from` })
  await sql`
    insert into authorisations
      (stream, record_key, domain_id, market, license_id, published, counts, first_seen_at, last_seen_at,
       known_from)
    select ${importStream}, record_key, domain_id, jurisdiction, license_id, published, true,
           coalesce(first_seen_at, ${now}::timestamptz), last_seen_at, ${now}::timestamptz
      from compared_authorisations
     where outcome = 'added'
     order by license_id, domain_id`.execute(tx)
}
