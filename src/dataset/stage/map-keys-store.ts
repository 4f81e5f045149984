/** Maps natural keys to rows. Keys without a row are new, and Node generates their refs. */
import { type RawBuilder, sql } from 'kysely'
import { newRef, type RefPrefix } from '../../core/ref.ts'
import type { Transaction } from '../../database/open.ts'
import { filedNames } from '../../features/companies/index.ts'
import { importStream } from '../../journal/events-store.ts'
import type { StagedTable, StagedTables } from '../read/staged-row.ts'
import { analyse } from './staging-store.ts'

const refsAtOnce = 5_000

type FreshRefs = { count: number; rows: RawBuilder<unknown> }

/** Makes a ref for each new key of a map. `rows` has a `position` from 1 for each. null: no key is new. */
export async function makeRefs(tx: Transaction, prefix: RefPrefix, map: string): Promise<FreshRefs | null> {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from ${sql.table(map)} where is_new`.execute(tx)
  const count = rows[0]?.count ?? 0
  if (count === 0) return null
  const madeAfter = (made: number) => {
    const refs = Array.from({ length: Math.min(refsAtOnce, count - made) }, () => newRef(prefix))
    return sql`
      select ${made}::bigint + position as position, ref
        from unnest(${refs}::text[]) with ordinality as fresh (ref, position)`
  }
  if (count <= refsAtOnce) return { count, rows: sql`(${madeAfter(0)})` }
  await sql`create temp table if not exists fresh_refs (position bigint, ref text) on commit drop`.execute(tx)
  await sql`truncate fresh_refs`.execute(tx)
  for (let made = 0; made < count; made += refsAtOnce)
    await sql`insert into fresh_refs (position, ref) ${madeAfter(made)}`.execute(tx)
  await analyse(tx, 'fresh_refs')
  return { count, rows: sql.table('fresh_refs') }
}

const companyNames: Partial<Record<StagedTable, RawBuilder<unknown>>> = {
  staged_companies: sql`select key, true as has_line from staged_companies`,
  staged_domains: sql`select company as key, false as has_line from staged_domains`,
  staged_licenses: sql`select company as key, false as has_line from staged_licenses`,
  staged_contacts: sql`select company as key, false as has_line from staged_contacts`,
}

/** Only then is there a table of mapped Companies. */
export function namesCompanies(staged: StagedTables): boolean {
  return [...staged].some(table => companyNames[table] !== undefined)
}

/** Maps a merged ref to its target. A key without company_id and is_new is a bad reference. */
export async function mapCompanies(tx: Transaction, staged: StagedTables): Promise<void> {
  if (!namesCompanies(staged)) return
  const named = [...staged].flatMap(table => companyNames[table] ?? [])
  await sql`
    create temp table mapped_companies on commit drop as
    select wanted.key,
           coalesce(identity.company_id, by_ref.merged_into, by_ref.id) as company_id,
           wanted.has_line and identity.company_id is null and by_ref.id is null as is_new,
           identity.company_id is not null as has_identity,
           by_ref.merged_into is not null as merged
      from (
        select key, bool_or(has_line) as has_line
          from (${sql.join(named, sql` union all `)}) named
         where key is not null
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
  const refs = await makeRefs(tx, 'co', 'mapped_companies')
  if (refs === null) return 0
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
        join ${refs.rows} fresh on fresh.position = numbered.number
       cross join ${filedNames('numbered')}
       order by numbered.number
      returning id, company_ref
    ),
    named as (
      select numbered.key, inserted.id
        from inserted
        join ${refs.rows} fresh on fresh.ref = inserted.company_ref
        join numbered on numbered.number = fresh.position
    ),
    identified as (
      insert into company_identities
        (stream, identity_key, company_id, known_from, first_seen_at, company_name, legal_entity,
         subject_kind, role, country, brands, aliases, apps, affiliate_program, geo_hints, evidence_routes,
         name_key, registration, lei)
      select ${importStream}, key, named.id, ${now}::timestamptz, ${now}::timestamptz, company_name,
             legal_entity, subject_kind, role, country, brands, aliases, apps, affiliate_program,
             geo_hints, evidence_routes, name_key, registration, lei
        from named
        join staged_companies staged using (key)
    )
    update mapped_companies mapped
       set company_id = named.id
      from named
     where named.key = mapped.key`.execute(tx)
  return refs.count
}

const tablesOfDomains: readonly StagedTable[] = [
  'staged_domains',
  'staged_license_domains',
  'staged_blocklist_entries',
  'staged_observations',
  'staged_platform_readings',
  'staged_site_checks',
  'staged_firmographics',
  'staged_logos',
]

const statedGeos = sql`
  select distinct on (domain) domain, inferred_geo
    from staged_domains
   where inferred_geo is not null
   order by domain, position desc`

/**
 * Inserts new domains in name order, as every writer does, so that writers cannot deadlock. The insert
 * includes inferred_geo, because a later update would take longer than the insert.
 */
export async function mapDomains(
  tx: Transaction,
  staged: StagedTables,
  { areAllNew }: { areAllNew: boolean },
): Promise<void> {
  const naming = [...staged].filter(table => tablesOfDomains.includes(table))
  if (naming.length === 0) return
  const lines = naming.map(table => sql`select domain from ${sql.table(table)} where domain is not null`)
  const named = sql`(select distinct domain from (${sql.join(lines, sql` union all `)}) line) named`
  const geos = staged.has('staged_domains') ? statedGeos : sql`select null as domain, null as inferred_geo`
  if (areAllNew) return insertFirstDomains(tx, named, geos)
  await sql`
    create temp table mapped_domains on commit drop as
    select named.domain, stored.id as domain_id, stored.id is null as is_new
      from ${named}
      left join domains stored on stored.domain = named.domain`.execute(tx)
  await analyse(tx, 'mapped_domains')
  const refs = await makeRefs(tx, 'dom', 'mapped_domains')
  if (refs === null) return
  // A check may have inserted the same domain meanwhile; the next statement maps it.
  await sql`
    insert into domains (domain_ref, domain, inferred_geo)
    select fresh.ref, numbered.domain, line.inferred_geo
      from (
        select domain, row_number() over (order by domain) as number
          from mapped_domains
         where is_new
      ) numbered
      join ${refs.rows} fresh on fresh.position = numbered.number
      left join (${geos}) line on line.domain = numbered.domain
     order by numbered.domain
    on conflict (domain) do nothing`.execute(tx)
  await sql`
    update mapped_domains mapped
       set domain_id = domain.id
      from domains domain
     where mapped.is_new and domain.domain = mapped.domain`.execute(tx)
  await analyse(tx, 'mapped_domains')
}

/** Takes the ids before the insert, so that no join has to find them afterwards. */
async function insertFirstDomains(
  tx: Transaction,
  named: RawBuilder<unknown>,
  geos: RawBuilder<unknown>,
): Promise<void> {
  await sql`
    create temp table mapped_domains on commit drop as
    select domain, number, nextval((select pg_get_serial_sequence('domains', 'id')::regclass)) as domain_id,
           true as is_new
      from (select domain, row_number() over (order by domain) as number from ${named}) numbered`.execute(tx)
  await analyse(tx, 'mapped_domains')
  const refs = await makeRefs(tx, 'dom', 'mapped_domains')
  if (refs === null) return
  await sql`
    insert into domains (id, domain_ref, domain, inferred_geo) overriding system value
    select mapped.domain_id, fresh.ref, mapped.domain, line.inferred_geo
      from mapped_domains mapped
      join ${refs.rows} fresh on fresh.position = mapped.number
      left join (${geos}) line on line.domain = mapped.domain
     order by mapped.number`.execute(tx)
}

/** Keeps the first company_key of several that mean the same Company. */
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
  const refs = await makeRefs(tx, 'lic', 'mapped_licenses')
  if (refs === null) return
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
      join ${refs.rows} fresh on fresh.position = numbered.number`.execute(tx)
  await sql`
    update mapped_licenses mapped
       set license_id = license.id
      from licenses license
     where mapped.is_new
       and license.stream = ${importStream}
       and license.record_key = mapped.record_key`.execute(tx)
  await analyse(tx, 'mapped_licenses')
}
