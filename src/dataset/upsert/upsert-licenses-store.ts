import { sql } from 'kysely'
import type { Transaction } from '../../database/open.ts'
import { closeStates, extendStates } from '../../features/facts/index.ts'
import { mapLicenses } from '../stage/map-keys-store.ts'
import { analyse, dropEarlierLines } from '../stage/staging-store.ts'
import { upsertAuthorisations } from './upsert-authorisations-store.ts'
import type { UpsertContext, UpsertResult } from './upsert-context.ts'

/** A changed state is closed and a new one opened. A later last_seen_at alone updates the open row. */
export async function upsertLicenses({ tx, now }: UpsertContext): Promise<UpsertResult> {
  await dropEarlierLines(tx, 'staged_licenses', ['record_key'])
  await sql`
    delete from staged_license_domains domain
     where not exists (select from staged_licenses license where license.position = domain.position)`.execute(
    tx,
  )
  await mapLicenses(tx, now)
  await compareLicenses(tx)
  await sql`
    update licenses license
       set company_id = compared.company_id,
           first_seen_at = coalesce(compared.first_seen_at, license.first_seen_at)
      from compared_licenses compared
     where license.id = compared.license_id and (compared.moved or compared.first_seen_changed)`.execute(tx)
  await replaceStates(tx, now)
  await upsertAuthorisations(tx, now)
  await touchDomains(tx)
  const { rows } = await sql<UpsertResult>`
    select count(*) filter (where is_new) as added,
           count(*) filter (
             where not is_new
               and (restated or moved or first_seen_changed or seen_later
                    or license_id in (select license_id from compared_authorisations))
           ) as changed
      from compared_licenses`.execute(tx)
  return rows[0] as UpsertResult
}

async function compareLicenses(tx: Transaction): Promise<void> {
  await sql`
    create temp table compared_licenses on commit drop as
    select staged.record_key, staged.jurisdiction, staged.license_number, staged.license_type, staged.status,
           staged.issued_at, staged.expires_at, staged.source_url, staged.first_seen_at, staged.last_seen_at,
           mapped.license_id, mapped.is_new, company.company_id, state.id as stored_id,
           (state.license_number, state.status, state.license_type, state.issued_at, state.expires_at,
            state.source_url)
             is distinct from
             (staged.license_number, staged.status, staged.license_type, staged.issued_at, staged.expires_at,
              staged.source_url) as restated,
           coalesce(holder.merged_into, holder.id) is distinct from company.company_id as moved,
           coalesce(license.first_seen_at <> staged.first_seen_at, false) as first_seen_changed,
           coalesce(staged.last_seen_at > coalesce(state.last_seen_at, '-infinity'), false) as seen_later
      from staged_licenses staged
      join mapped_licenses mapped using (record_key)
      join licenses license on license.id = mapped.license_id
      left join companies holder on holder.id = license.company_id
      left join mapped_companies company on company.key = staged.company
      left join license_states state on state.license_id = license.id and state.known_to is null`.execute(tx)
  await analyse(tx, 'compared_licenses')
}

async function replaceStates(tx: Transaction, now: Date): Promise<void> {
  const table = 'compared_licenses'
  await extendStates(tx, 'license_states', { table, where: sql`change.seen_later and not change.restated` })
  const changed = { table, where: sql`change.restated` }
  await closeStates(tx, 'license_states', { changed, now, seenAt: sql`state.known_from` })
  await sql`
    insert into license_states
      (license_id, license_number, status, license_type, issued_at, expires_at, source_url, known_from,
       last_seen_at)
    select license_id, license_number, status, license_type, issued_at, expires_at, source_url,
           ${now}::timestamptz, last_seen_at
      from compared_licenses
     where restated
     order by license_id`.execute(tx)
}

async function touchDomains(tx: Transaction): Promise<void> {
  await sql`
    insert into touched_domains (domain_id, in_registers)
    select authorisation.domain_id, true
      from compared_licenses compared
      join authorisations authorisation on authorisation.license_id = compared.license_id
     where authorisation.known_to is null and not compared.is_new and (compared.restated or compared.moved)
    union all
    select domain_id, true from compared_authorisations where outcome <> 'seen'`.execute(tx)
}
