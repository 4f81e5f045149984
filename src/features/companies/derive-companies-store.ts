/** Derives Companies: in SQL from one identity, in Node from several (combine-identities.ts). */

import { type RawBuilder, sql } from 'kysely'
import { differencesShownMax, type Verification } from '../../core/verification.ts'
import type { Database, Transaction } from '../../database/open.ts'
import { combineIdentities, type IdentityFacts } from './combine-identities.ts'
import { statedGroups } from './groups/groups-store.ts'

const companiesAtOnceMax = 5_000

/**
 * Derives these Companies, and returns the number of changed ones. Merged Companies have no identities and
 * are not changed. Companies that only discarded snapshots named lose their data and are not found.
 */
export async function deriveCompanies(tx: Transaction, companyIds: readonly number[], now: Date) {
  const ids = [...new Set(companyIds)].sort((a, b) => a - b)
  let changed = 0
  for (let start = 0; start < ids.length; start += companiesAtOnceMax) {
    const some = ids.slice(start, start + companiesAtOnceMax)
    await sql`
      select 1 from companies where id = any (${some}::bigint[]) order by id for no key update`.execute(tx)
    changed += await writeDerived(tx, ofOneIdentity(some), now)
    const combined = await readCombined(tx, some)
    if (combined.length > 0) changed += await writeDerived(tx, ofCombined(combined), now)
    changed += await writeDerived(tx, ofNoIdentity(some), now)
    await writeGroups(tx, some, now)
  }
  return changed
}

const derivedColumns = [
  'company_name',
  'legal_entity',
  'subject_kind',
  'role',
  'country',
  'brands',
  'aliases',
  'apps',
  'affiliate_program',
  'geo_hints',
  'evidence_routes',
  'first_seen_at',
] as const

const columnsOf = (table: string) =>
  sql`${sql.join(derivedColumns.map(column => sql.ref(`${table}.${column}`)))}`

const shownBrands = sql`
  array(
    select distinct link.brand collate "C" as brand
      from domain_companies link
     where link.company_id = identity.company_id and link.known_to is null and link.brand is not null
     order by brand
  )`

const ofOneIdentity = (ids: readonly number[]) => sql`
  select identity.company_id as id, ${sql.join(derivedColumns.map(columnOfIdentity))}
    from company_identities identity
   cross join ${filedNames('identity')}
   where identity.company_id = any (${ids}::bigint[])
     and not exists (
       select from company_identities other
        where other.company_id = identity.company_id
          and (other.stream, other.identity_key) <> (identity.stream, identity.identity_key)
     )`

/**
 * Selects the names of an identity: only a legal entity has a filed name (§2.2). Other kinds of subject use
 * the legal name as an alias, or as the name if no other name is known.
 */
export function filedNames(source: string): RawBuilder<unknown> {
  const kind = sql.ref(`${source}.subject_kind`)
  const [name, entity, aliases] = ['company_name', 'legal_entity', 'aliases'].map(column =>
    sql.ref(`${source}.${column}`),
  )
  return sql`lateral (
    select coalesce(${name}, ${entity}) as company_name,
           case when ${kind} = 'legal_entity' then ${entity} end as legal_entity,
           case when ${kind} <> 'legal_entity' and ${entity} <> ${name} and ${entity} <> all (${aliases})
                then array_append(${aliases}, ${entity})
                else ${aliases}
           end as aliases
  ) filed`
}

const filedColumns: readonly string[] = ['company_name', 'legal_entity', 'aliases']

const hasIdentity = sql`
  exists (select from company_identities identity where identity.company_id = company.id)`

/** Selects empty data for Companies without an identity: the defaults of `derivedColumns`. */
const ofNoIdentity = (ids: readonly number[]) => sql`
  select company.id, null as company_name, null as legal_entity, 'unknown' as subject_kind,
         '{unknown}'::text[] as role, null as country, '{}'::text[] as brands, '{}'::text[] as aliases,
         '[]'::jsonb as apps, false as affiliate_program, '{}'::text[] as geo_hints,
         '{}'::text[] as evidence_routes, company.first_seen_at
    from companies company
   where company.id = any (${ids}::bigint[])
     and company.merged_into is null
     and not ${hasIdentity}`

function columnOfIdentity(column: (typeof derivedColumns)[number]) {
  if (filedColumns.includes(column)) return sql.ref(`filed.${column}`)
  if (column !== 'brands') return sql.ref(`identity.${column}`)
  return sql`
    identity.brands || array(
      select brand from unnest(${shownBrands}) with ordinality as shown (brand, position)
       where brand <> all (identity.brands)
       order by position
    ) as brands`
}

const ofCombined = (combined: readonly Combined[]) => sql`
  select id, ${columnsOf('combined')}
    from json_populate_recordset(null::companies, ${JSON.stringify(combined)}::json) combined`

async function writeDerived(tx: Transaction, derived: RawBuilder<unknown>, now: Date): Promise<number> {
  const { numAffectedRows } = await sql`
    update companies company
       set ${sql.join(derivedColumns.map(name => sql`${sql.ref(name)} = ${sql.ref(`derived.${name}`)}`))},
           last_updated_at = ${now}
      from (${derived}) derived
     where company.id = derived.id
       and (${columnsOf('company')}) is distinct from (${columnsOf('derived')})`.execute(tx)
  return Number(numAffectedRows ?? 0)
}

const differingGroups = (ids: readonly number[]) => sql`
  select company.id, company.company_ref, company.groups as stored, coalesce(stated.groups, '[]') as derived
    from companies company
    left join (${statedGroups(ids)}) stated using (id)
   where company.id = any (${[...ids]}::bigint[])
     and company.merged_into is null
     and company.groups <> coalesce(stated.groups, '[]')`

async function writeGroups(tx: Transaction, ids: readonly number[], now: Date): Promise<void> {
  await sql`
    update companies company
       set groups = differing.derived, last_updated_at = ${now}
      from (${differingGroups(ids)}) differing
     where company.id = differing.id`.execute(tx)
}

type Combined = IdentityFacts & { id: number; first_seen_at: string }

/** Combines Companies with several identities. Times are read as text, because a Date loses microseconds. */
async function readCombined(database: Database, ids: readonly number[]): Promise<Combined[]> {
  const { rows } = await sql<
    IdentityFacts & { company_id: number; earliest: string; shown_brands: string[] }
  >`
    select identity.company_id, ${columnsOf('identity')}, ${shownBrands} as shown_brands,
           (min(identity.first_seen_at) over company)::text as earliest
      from company_identities identity
     where identity.company_id in (
       select company_id
         from company_identities
        where company_id = any (${ids}::bigint[])
        group by company_id
       having count(*) > 1
     )
    window company as (partition by identity.company_id)
     order by identity.company_id, identity.seniority, identity.known_from, identity.stream collate "C",
              identity.identity_key collate "C"`.execute(database)
  const byCompany = Map.groupBy(rows, row => row.company_id)
  return [...byCompany].map(([id, identities]) => {
    const [first, second, ...others] = identities
    if (first === undefined || second === undefined)
      throw new Error(`company ${id} has fewer than two identities`)
    const combined = combineIdentities([first, second, ...others])
    const brands = [...new Set([...combined.brands, ...first.shown_brands])]
    return { ...combined, brands, id, first_seen_at: first.earliest }
  })
}

export type CompanyDifference = { company_ref: string; field: string; stored: unknown; derived: unknown }

export async function verifyCompanies(database: Database): Promise<Verification<CompanyDifference>> {
  const differences: CompanyDifference[] = []
  let checked = 0
  for (let after = 0; ; ) {
    const { rows } = await sql<{ id: number }>`
      select id from companies where id > ${after} order by id limit ${companiesAtOnceMax}`.execute(database)
    const last = rows.at(-1)
    if (last === undefined) return { checked, differences }
    const ids = rows.map(row => row.id)
    checked += ids.length
    after = last.id
    const room = differencesShownMax - differences.length
    differences.push(...(await readDifferences(database, ids)).slice(0, room))
  }
}

/**
 * Compares stored Companies with their derivation. Merged Companies with identities, and merges into a
 * merged Company, are differences too.
 */
async function readDifferences(database: Database, ids: readonly number[]): Promise<CompanyDifference[]> {
  const { rows } = await sql<CompanyDifference>`
    with derived as (
      ${ofOneIdentity(ids)}
      union all
      ${ofCombined(await readCombined(database, ids))}
      union all
      ${ofNoIdentity(ids)}
    )
    select company.company_ref, field.key as field, field.value as stored,
           to_jsonb(derived) -> field.key as derived
      from companies company
      join derived using (id)
     cross join lateral jsonb_each(to_jsonb(company)) field
     where (${columnsOf('company')}) is distinct from (${columnsOf('derived')})
       and field.key = any (${[...derivedColumns]}::text[])
       and field.value is distinct from to_jsonb(derived) -> field.key
    union all
    select company_ref, 'groups', stored, derived from (${differingGroups(ids)}) differing
    union all
    select company.company_ref, 'merged_into', to_jsonb(company.merged_into), null
      from companies company
      left join companies survivor on survivor.id = company.merged_into
     where company.id = any (${ids}::bigint[])
       and (survivor.merged_into is not null
            or (company.merged_into is not null and ${hasIdentity}))
     order by company_ref, field`.execute(database)
  return rows
}
