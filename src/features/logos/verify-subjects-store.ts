import { sql } from 'kysely'
import type { Database } from '../../database/open.ts'
import { calledName, type GivenName } from './subjects-store.ts'

/** What triggers noted and no transaction has taken up. */
export async function countNoted(database: Database): Promise<number> {
  const { rows } = await sql<{ noted: number }>`
    select (select count(*) from logo_stale_companies)
           + (select count(*) from logo_names where subject_id is null) as noted`.execute(database)
  return rows[0]?.noted as number
}

export async function readStoredCompanyNames(
  database: Database,
  companyIds: readonly number[],
): Promise<GivenName[]> {
  const { rows } = await sql<GivenName>`
    select kind, company_id, name from logo_names where company_id = any (${[...companyIds]}::bigint[])`.execute(
    database,
  )
  return rows
}

/** Names that sites show and that are not held, and names that are held and no site shows. */
export async function readSiteNameDifferences(
  database: Database,
): Promise<{ kind: string; name: string; held: boolean }[]> {
  const { rows } = await sql<{ kind: string; name: string; held: boolean }>`
    select kind, name, held.name is not null as held
      from (
        select distinct case section when 'payment_methods' then 'payment_method' else 'supplier_brand' end as kind,
               value_key as name
          from observations
         where section in ('payment_methods', 'supplier_brands')
      ) seen
      full join (select kind, name from logo_names where company_id is null) held using (kind, name)
     where seen.name is null or held.name is null
     order by kind, name
     limit 20`.execute(database)
  return rows
}

export type SubjectNames = {
  id: number
  kind: string
  slug: string
  name: string
  name_folded: string
  name_joined: string
  /** What it is to be called; null: nobody names it. */
  called: string | null
}

export async function readSubjectNames(
  database: Database,
  after: number,
  atOnce: number,
): Promise<SubjectNames[]> {
  const { rows } = await sql<SubjectNames>`
    select subject.id, subject.kind, subject.slug, subject.name, subject.name_folded, subject.name_joined,
           ${calledName} as called
      from logo_subjects subject
     where subject.id > ${after}
     order by subject.id
     limit ${atOnce}`.execute(database)
  return rows
}
