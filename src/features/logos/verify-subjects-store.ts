import { sql } from 'kysely'
import type { Database } from '../../database/open.ts'
import { type GivenName, subjectName } from './subjects-store.ts'

export async function countQueuedNames(database: Database): Promise<number> {
  const { rows } = await sql<{ queued: number }>`
    select (select count(*) from logo_stale_companies)
           + (select count(*) from logo_names where subject_id is null) as queued`.execute(database)
  return rows[0]?.queued as number
}

export async function readStoredCompanyNames(database: Database, companyIds: readonly number[]) {
  const { rows } = await sql<GivenName>`
    select kind, company_id,
           name from logo_names where company_id = any (${[...companyIds]}::bigint[])`.execute(database)
  return rows
}

export async function readSiteNameDifferences(database: Database) {
  const { rows } = await sql<{ kind: string; name: string; is_stored: boolean }>`
    select kind, name, stored.name is not null as is_stored
      from (
        select distinct case section
                          when 'payment_methods' then 'payment_method'
                          else 'supplier_brand'
                        end as kind,
               value_key as name
          from observations
         where section in ('payment_methods', 'supplier_brands')
      ) observed
      left join (select kind, name from logo_names where company_id is null) stored using (kind, name)
     where stored.name is null
     order by kind, name
     limit 20`.execute(database)
  return rows
}

type SubjectNames = {
  id: number
  kind: string
  slug: string
  name: string
  name_folded: string
  name_joined: string
  derived_name: string | null
}

export async function readSubjectNames(database: Database, after: number, atOnce: number) {
  const { rows } = await sql<SubjectNames>`
    select subject.id, subject.kind, subject.slug, subject.name, subject.name_folded, subject.name_joined,
           ${subjectName} as derived_name
      from logo_subjects subject
     where subject.id > ${after}
     order by subject.id
     limit ${atOnce}`.execute(database)
  return rows
}
