/** Maps natural keys to rows. Keys without a row are new; Node generates their refs. */
import { sql } from 'kysely'
import { importStream } from '../../core/import-stream.ts'
import { newRef, type RefPrefix } from '../../core/ref.ts'
import type { Transaction } from '../../database/open.ts'
import { filedNames } from '../../features/companies/index.ts'
import { analyse } from './staging-store.ts'

const refsAtOnce = 5_000

/** Fills fresh_refs with a ref for each new key of a map, by position from 1. Returns their number. */
export async function makeRefs(tx: Transaction, prefix: RefPrefix, map: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from ${sql.table(map)} where is_new`.execute(tx)
  const count = rows[0]?.count ?? 0
  if (count === 0) return 0
  await sql`create temp table if not exists fresh_refs (position bigint, ref text) on commit drop`.execute(tx)
  await sql`truncate fresh_refs`.execute(tx)
  for (let made = 0; made < count; made += refsAtOnce) {
    const refs = Array.from({ length: Math.min(refsAtOnce, count - made) }, () => newRef(prefix))
    await sql`
      insert into fresh_refs (position, ref)
      select ${made}::bigint + position, ref
        from unnest(${refs}::text[]) with ordinality as fresh (ref, position)`.execute(tx)
  }
  await analyse(tx, 'fresh_refs')
  return count
}

/** A merged ref maps to its target. Without company_id and is_new a key is a bad reference. */
export async function mapCompanies(tx: Transaction): Promise<void> {
  await sql`
    create temp table mapped_companies on commit drop as
    select wanted.key,
           coalesce(identity.company_id, by_ref.merged_into, by_ref.id) as company_id,
           wanted.has_line and identity.company_id is null and by_ref.id is null as is_new,
           identity.company_id is not null as has_identity,
           by_ref.merged_into is not null as merged
      from (
        select key, bool_or(has_line) as has_line
          from (
            select key, true as has_line from staged_companies
            union all
            select company, false from staged_domains where company is not null
            union all
            select company, false from staged_licenses where company is not null
            union all
            select company, false from staged_contacts
          ) named
         group by key
      ) wanted
      left join company_identities identity
        on identity.stream = ${importStream} and identity.identity_key = wanted.key
      left join companies by_ref on by_ref.company_ref = wanted.key and identity.company_id is null`.execute(
    tx,
  )
  await analyse(tx, 'mapped_companies')
}

export async function insertNewCompanies(tx: Transaction, now: Date): Promise<number> {
  const count = await makeRefs(tx, 'co', 'mapped_companies')
  if (count === 0) return 0
  await sql`
    with numbered as (
      select staged.*, row_number() over (order by staged.key collate "C") as number
        from staged_companies staged
        join mapped_companies mapped on mapped.key = staged.key and mapped.is_new
    ),
    inserted as (
      insert into companies
        (company_ref, company_name, legal_entity, subject_kind, role, country, brands, aliases, apps,
         affiliate_program, geo_hints, evidence_routes, first_seen_at, last_updated_at)
      select fresh.ref, filed.company_name, filed.legal_entity, subject_kind, role, country, brands,
             filed.aliases, apps, affiliate_program, geo_hints, evidence_routes, ${now}::timestamptz,
             ${now}::timestamptz
        from numbered
        join fresh_refs fresh on fresh.position = numbered.number
       cross join ${filedNames('numbered')}
       order by numbered.number
      returning id, company_ref
    ),
    named as (
      select numbered.key, inserted.id
        from inserted
        join fresh_refs fresh on fresh.ref = inserted.company_ref
        join numbered on numbered.number = fresh.position
    ),
    identified as (
      insert into company_identities
        (stream, identity_key, company_id, known_from, first_seen_at, company_name, legal_entity,
         subject_kind, role, country, brands, aliases, apps, affiliate_program, geo_hints, evidence_routes,
         name_key)
      select ${importStream}, key, named.id, ${now}::timestamptz, ${now}::timestamptz, company_name,
             staged.legal_entity, subject_kind, role, country, brands, aliases, apps, affiliate_program,
             geo_hints, evidence_routes, folded.name_key
        from named
        join staged_companies staged using (key)
        left join folded_names folded using (legal_entity)
    )
    update mapped_companies mapped
       set company_id = named.id
      from named
     where named.key = mapped.key`.execute(tx)
  return count
}

/**
 * Inserts new domains in name order, as every writer does, so that writers cannot deadlock. They get their
 * place at once: writing them again would take longer than the insert.
 */
export async function mapDomains(tx: Transaction): Promise<void> {
  await sql`
    create temp table mapped_domains on commit drop as
    select named.domain, stored.id as domain_id, stored.id is null as is_new
      from (
        select domain from staged_domains
        union
        select domain from staged_license_domains
        union
        select domain from staged_blocklist_entries
        union
        select domain from staged_observations
        union
        select domain from staged_platform_readings
        union
        select domain from staged_site_checks
        union
        select domain from staged_firmographics
        union
        select domain from staged_logos where domain is not null
      ) named
      left join domains stored on stored.domain = named.domain`.execute(tx)
  await analyse(tx, 'mapped_domains')
  if ((await makeRefs(tx, 'dom', 'mapped_domains')) === 0) return
  // A register sync may have inserted the same domain meanwhile; the next statement maps it.
  await sql`
    insert into domains (domain_ref, domain, inferred_geo)
    select fresh.ref, numbered.domain, line.inferred_geo
      from (
        select domain, row_number() over (order by domain) as number
          from mapped_domains
         where is_new
      ) numbered
      join fresh_refs fresh on fresh.position = numbered.number
      left join (
        select distinct on (domain) domain, inferred_geo
          from staged_domains
         where inferred_geo is not null
         order by domain, position desc
      ) line on line.domain = numbered.domain
     order by numbered.domain
    on conflict (domain) do nothing`.execute(tx)
  await sql`
    update mapped_domains mapped
       set domain_id = domain.id
      from domains domain
     where mapped.is_new and domain.domain = mapped.domain`.execute(tx)
  await analyse(tx, 'mapped_domains')
}

/** company_key stays the first of several keys of the same Company. */
export async function mapLicenses(tx: Transaction, now: Date): Promise<void> {
  await sql`
    create temp table mapped_licenses on commit drop as
    select staged.record_key, license.id as license_id, license.id is null as is_new
      from staged_licenses staged
      left join licenses license
        on license.stream = ${importStream} and license.record_key = staged.record_key
  `.execute(tx)
  await analyse(tx, 'mapped_licenses')
  await sql`
    update licenses license
       set company_key = staged.company
      from staged_licenses staged
      join mapped_licenses mapped using (record_key)
      left join mapped_companies company on company.key = staged.company
     where license.id = mapped.license_id
       and license.company_key is distinct from staged.company
       and (license.company_key is null or license.company_id is distinct from company.company_id)`.execute(
    tx,
  )
  if ((await makeRefs(tx, 'lic', 'mapped_licenses')) === 0) return
  await sql`
    insert into licenses
      (license_ref, stream, record_key, jurisdiction, company_id, company_key, first_seen_at)
    select fresh.ref, ${importStream}, numbered.record_key, numbered.jurisdiction, numbered.company_id,
           numbered.company,
           coalesce(numbered.first_seen_at, ${now}::timestamptz)
      from (
        select staged.*, company.company_id,
               row_number() over (order by staged.record_key collate "C") as number
          from staged_licenses staged
          join mapped_licenses mapped on mapped.record_key = staged.record_key and mapped.is_new
          left join mapped_companies company on company.key = staged.company
      ) numbered
      join fresh_refs fresh on fresh.position = numbered.number`.execute(tx)
  await sql`
    update mapped_licenses mapped
       set license_id = license.id
      from licenses license
     where mapped.is_new
       and license.stream = ${importStream}
       and license.record_key = mapped.record_key`.execute(tx)
  await analyse(tx, 'mapped_licenses')
}
