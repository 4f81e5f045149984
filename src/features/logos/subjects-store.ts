import { sql } from 'kysely'
import type { Database, Transaction } from '../../database/open.ts'
import { type LogoKind, subjectKeyOf } from './kinds.ts'

/** A name with its Company; `company_id` is null if the name was observed on sites. */
export type GivenName = { kind: LogoKind; company_id: number | null; name: string }

export type LogoSubjectNames = {
  id: number
  company_ref: string
  company_name: string | null
  role: string[]
  brands: string[]
  merged: boolean
}

export async function dequeueStaleCompanies(tx: Transaction, atOnce: number): Promise<LogoSubjectNames[]> {
  const { rows } = await sql<LogoSubjectNames>`
    with dequeued as (
      delete from logo_stale_companies
       where company_id in (select company_id from logo_stale_companies order by company_id limit ${atOnce})
      returning company_id
    )
    ${namesOf}
      from dequeued
      join companies company on company.id = dequeued.company_id
     order by company.id`.execute(tx)
  return rows
}

export async function readCompanyNames(database: Database, after: number, atOnce: number) {
  const { rows } = await sql<LogoSubjectNames>`
    ${namesOf}
      from companies company
     where company.id > ${after}
     order by company.id
     limit ${atOnce}`.execute(database)
  return rows
}

const namesOf = sql`
    select company.id, company.company_ref, company.company_name, company.role,
           company.brands || array(
             select distinct link.brand
               from domain_companies link
              where link.company_id = company.id and link.known_to is null and link.brand is not null
           ) as brands,
           company.merged_into is not null as merged`

/**
 * Writes the names of Companies, and returns the renamed subjects. A renamed brand becomes a new subject; a
 * renamed Company does not.
 */
export async function writeCompanyNames(
  tx: Transaction,
  companyIds: readonly number[],
  given: readonly GivenName[],
): Promise<number[]> {
  const names = JSON.stringify(given)
  const { rows: deleted } = await sql<{ subject_id: number | null }>`
    delete from logo_names stored
     where stored.company_id = any (${[...companyIds]}::bigint[])
       and not exists (
         select from json_to_recordset(${names}::json) as given (kind text, company_id bigint, name text)
          where given.company_id = stored.company_id
            and given.kind = stored.kind
            and (given.name = stored.name or given.kind = 'company')
       )
    returning subject_id`.execute(tx)
  const { rows: renamed } = await sql<{ subject_id: number | null }>`
    update logo_names stored
       set name = given.name
      from json_to_recordset(${names}::json) as given (kind text, company_id bigint, name text)
     where given.kind = 'company'
       and stored.kind = 'company'
       and stored.company_id = given.company_id
       and stored.name <> given.name
    returning stored.subject_id`.execute(tx)
  await sql`
    insert into logo_names (kind, company_id, name)
    select kind, company_id, name
      from json_to_recordset(${names}::json) as given (kind text, company_id bigint, name text)
     order by company_id, kind, name
    on conflict do nothing`.execute(tx)
  return [...deleted, ...renamed].map(row => row.subject_id).filter(id => id !== null)
}

/** Updates the statistics, without which the planner assumes empty tables and scans them for each name. */
export async function analyseNames(tx: Transaction): Promise<void> {
  await sql`analyze logo_names, logo_subjects`.execute(tx)
}

export type UnplacedName = GivenName & { id: number; company_ref: string | null }

export async function readUnplaced(tx: Transaction, atOnce: number): Promise<UnplacedName[]> {
  const { rows } = await sql<UnplacedName>`
    select named.id, named.kind, named.company_id, named.name, company.company_ref
      from logo_names named
      left join companies company on company.id = named.company_id
     where named.subject_id is null
     order by named.id
     limit ${atOnce}`.execute(tx)
  return rows
}

export type StoredSubject = {
  id: number
  kind: LogoKind
  slug: string
  name_folded: string
  stated_name: string | null
  domain_id: number | null
  role: string[]
  hasCompany: boolean
}

type SubjectKey = { kind: LogoKind; slug: string; folded: string }

/** Finds subjects by slug or name. With `free`, names find only subjects without a Company. */
export async function findSubjects(
  tx: Transaction,
  keys: readonly SubjectKey[],
  { free }: { free: boolean },
): Promise<StoredSubject[]> {
  const { rows } = await sql<StoredSubject>`
    with keys as (
      select *
        from json_to_recordset(${JSON.stringify(keys)}::json) as keys (kind text, slug text, folded text)
    ),
    matching as (
      select id, bool_or(by_slug) as by_slug
        from (
          select subject.id, true as by_slug
            from keys
            join logo_subjects subject using (kind, slug)
          union all
          select subject.id, false
            from (select distinct kind, folded from keys) named
            join logo_subjects subject on subject.kind = named.kind and subject.name_folded = named.folded
        ) either
       group by id
    )
    select subject.id, subject.kind, subject.slug, subject.name_folded, subject.stated_name,
           subject.domain_id, subject.role, company_name.id is not null as "hasCompany"
      from matching
      join logo_subjects subject using (id)
      left join logo_names company_name
        on company_name.subject_id = subject.id and company_name.kind = 'company'
     where not ${free} or matching.by_slug or company_name.id is null
     order by subject.id`.execute(tx)
  return rows
}

export type NewSubject = { kind: LogoKind; slug: string; name: string; folded: string; joined: string }
type StatedByImport = { stated_name: string; domain_id: number | null; role: string[] }

/** Inserts subjects, and returns their ids by key. */
export async function insertSubjects(
  tx: Transaction,
  subjects: readonly (NewSubject & Partial<StatedByImport>)[],
): Promise<Map<string, number>> {
  if (subjects.length === 0) return new Map()
  const { rows } = await sql<{ id: number; kind: LogoKind; slug: string }>`
    insert into logo_subjects (kind, slug, name, name_folded, name_joined, stated_name, domain_id, role)
    select kind, slug, name, folded, joined, stated_name, domain_id, coalesce(role, '{}')
      from json_to_recordset(${JSON.stringify(subjects)}::json)
        as made (kind text, slug text, name text, folded text, joined text, stated_name text,
                 domain_id bigint, role text[])
    returning id, kind, slug`.execute(tx)
  return new Map(rows.map(row => [subjectKeyOf(row), row.id]))
}

export async function placeNames(tx: Transaction, placed: readonly { id: number; subject_id: number }[]) {
  await sql`
    update logo_names named
       set subject_id = placed.subject_id
      from json_to_recordset(${JSON.stringify(placed)}::json) as placed (id bigint, subject_id bigint)
     where named.id = placed.id`.execute(tx)
}

/** Selects the name of a subject: from an import, or else the first from Companies, or else from sites. */
export const subjectName = sql`
    coalesce(
      subject.stated_name,
      (select min(named.name collate "C")
         from logo_names named
        where named.subject_id = subject.id and named.company_id is not null),
      (select min(named.name collate "C") from logo_names named where named.subject_id = subject.id)
    )`

export async function deleteUnnamedSubjects(tx: Transaction, ids: readonly number[]): Promise<void> {
  await sql`
    delete from logo_subjects subject
     where subject.id = any (${[...ids]}::bigint[])
       and subject.stated_name is null
       and not exists (select from logo_names named where named.subject_id = subject.id)`.execute(tx)
}

export async function readRenamedSubjects(tx: Transaction, ids: readonly number[]) {
  const { rows } = await sql<{ id: number; name: string }>`
    select id, new_name as name
      from (
        select subject.id, subject.name, ${subjectName} as new_name
          from logo_subjects subject
         where subject.id = any (${[...ids]}::bigint[])
      ) subject
     where new_name <> name`.execute(tx)
  return rows
}

export async function renameSubjects(
  tx: Transaction,
  renamed: readonly { id: number; name: string; folded: string; joined: string }[],
): Promise<void> {
  if (renamed.length === 0) return
  await sql`
    update logo_subjects subject
       set name = renamed.name, name_folded = renamed.folded, name_joined = renamed.joined
      from json_to_recordset(${JSON.stringify(renamed)}::json)
        as renamed (id bigint, name text, folded text, joined text)
     where subject.id = renamed.id`.execute(tx)
}
