import { sql } from 'kysely'
import type { Database, Transaction } from '../../database/open.ts'
import type { LogoKind } from './kinds.ts'

/** A name that somebody gives: a Company to itself or to a brand that it runs; null: sites, to what they show. */
export type GivenName = { kind: LogoKind; company_id: number | null; name: string }

export type CompanyNames = {
  id: number
  company_ref: string
  company_name: string | null
  legal_entity: string | null
  role: string[]
  /** Those that it lists, and those that its sites show. */
  brands: string[]
  merged: boolean
}

/** Takes the next Companies off the list of those that changed, in the order of their ids. */
export async function dequeueStaleCompanies(tx: Transaction, atOnce: number): Promise<CompanyNames[]> {
  const { rows } = await sql<CompanyNames>`
    with taken as (
      delete from logo_stale_companies
       where company_id in (select company_id from logo_stale_companies order by company_id limit ${atOnce})
      returning company_id
    )
    ${namesOf}
      from taken
      join companies company on company.id = taken.company_id
     order by company.id`.execute(tx)
  return rows
}

/** The Companies behind this one in the order of their ids. */
export async function readCompanyNames(
  database: Database,
  after: number,
  atOnce: number,
): Promise<CompanyNames[]> {
  const { rows } = await sql<CompanyNames>`
    ${namesOf}
      from companies company
     where company.id > ${after}
     order by company.id
     limit ${atOnce}`.execute(database)
  return rows
}

const namesOf = sql`
    select company.id, company.company_ref, company.company_name, company.legal_entity, company.role,
           company.brands || array(
             select distinct link.brand
               from domain_companies link
              where link.company_id = company.id and link.known_to is null and link.brand is not null
           ) as brands,
           company.merged_into is not null as merged`

/**
 * Makes the names of these Companies what is given, and answers the subjects that lost one or bear another now. A Company
 * that is called otherwise keeps its subject; a brand that is called otherwise is another brand.
 */
export async function writeCompanyNames(
  tx: Transaction,
  companyIds: readonly number[],
  given: readonly GivenName[],
): Promise<number[]> {
  const names = JSON.stringify(given)
  const { rows: gone } = await sql<{ subject_id: number | null }>`
    delete from logo_names held
     where held.company_id = any (${[...companyIds]}::bigint[])
       and not exists (
         select from json_to_recordset(${names}::json) as given (kind text, company_id bigint, name text)
          where given.company_id = held.company_id
            and given.kind = held.kind
            and (given.name = held.name or given.kind = 'company')
       )
    returning subject_id`.execute(tx)
  const { rows: renamed } = await sql<{ subject_id: number | null }>`
    update logo_names held
       set name = given.name
      from json_to_recordset(${names}::json) as given (kind text, company_id bigint, name text)
     where given.kind = 'company'
       and held.kind = 'company'
       and held.company_id = given.company_id
       and held.name <> given.name
    returning held.subject_id`.execute(tx)
  await sql`
    insert into logo_names (kind, company_id, name)
    select kind, company_id, name
      from json_to_recordset(${names}::json) as given (kind text, company_id bigint, name text)
     order by company_id, kind, name
    on conflict do nothing`.execute(tx)
  return [...gone, ...renamed].map(row => row.subject_id).filter(id => id !== null)
}

/** Has the planner know that there are many names: a table that it believes to be empty is read whole for each of them. */
export async function analyseNames(tx: Transaction): Promise<void> {
  await sql`analyze logo_names, logo_subjects`.execute(tx)
}

export type UnplacedName = GivenName & { id: number; company_ref: string | null }

/** Names that are noted and belong to no subject yet, in the order in which they came. */
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
  /** Of kind company: whether it is a Company's. */
  taken: boolean
}

export type SubjectKey = { kind: LogoKind; slug: string; folded: string }

/** The subjects of these kinds and slugs, and those of these kinds and names; `free` of a Company are those that no Company is. */
export async function findSubjects(
  tx: Transaction,
  wanted: readonly SubjectKey[],
  { free }: { free: boolean },
): Promise<StoredSubject[]> {
  const { rows } = await sql<StoredSubject>`
    with wanted as (
      select * from json_to_recordset(${JSON.stringify(wanted)}::json) as wanted (kind text, slug text, folded text)
    ),
    found as (
      select id, bool_or(by_slug) as by_slug
        from (
          select subject.id, true as by_slug
            from wanted
            join logo_subjects subject using (kind, slug)
          union all
          select subject.id, false
            from (select distinct kind, folded from wanted) named
            join logo_subjects subject on subject.kind = named.kind and subject.name_folded = named.folded
        ) either
       group by id
    )
    select subject.id, subject.kind, subject.slug, subject.name_folded, subject.stated_name, subject.domain_id, subject.role,
           held.id is not null as taken
      from found
      join logo_subjects subject using (id)
      left join logo_names held on held.subject_id = subject.id and held.kind = 'company'
     where not ${free} or found.by_slug or held.id is null
     order by subject.id`.execute(tx)
  return rows
}

export type NewSubject = { kind: LogoKind; slug: string; name: string; folded: string; joined: string }

/** Makes subjects, and answers their ids by `kind/slug`. */
export async function insertSubjects(
  tx: Transaction,
  subjects: readonly NewSubject[],
): Promise<Map<string, number>> {
  if (subjects.length === 0) return new Map()
  const { rows } = await sql<{ id: number; kind: LogoKind; slug: string }>`
    insert into logo_subjects (kind, slug, name, name_folded, name_joined)
    select kind, slug, name, folded, joined
      from json_to_recordset(${JSON.stringify(subjects)}::json)
        as made (kind text, slug text, name text, folded text, joined text)
    returning id, kind, slug`.execute(tx)
  return new Map(rows.map(({ id, kind, slug }) => [`${kind}/${slug}`, id]))
}

export async function placeNames(
  tx: Transaction,
  placed: readonly { id: number; subject_id: number }[],
): Promise<void> {
  await sql`
    update logo_names named
       set subject_id = placed.subject_id
      from json_to_recordset(${JSON.stringify(placed)}::json) as placed (id bigint, subject_id bigint)
     where named.id = placed.id`.execute(tx)
}

/** What subjects are called: as a file states it, or by the first name that a Company gives, or that sites show. */
export const calledName = sql`
    coalesce(
      subject.stated_name,
      (select min(named.name collate "C")
         from logo_names named
        where named.subject_id = subject.id and named.company_id is not null),
      (select min(named.name collate "C") from logo_names named where named.subject_id = subject.id)
    )`

/** Takes out those of these subjects that nobody names any more, and answers what the others are to be called. */
export async function settleSubjects(
  tx: Transaction,
  subjectIds: readonly number[],
): Promise<{ id: number; name: string }[]> {
  const ids = [...new Set(subjectIds)]
  if (ids.length === 0) return []
  await sql`
    delete from logo_subjects subject
     where subject.id = any (${ids}::bigint[])
       and subject.stated_name is null
       and not exists (select from logo_names named where named.subject_id = subject.id)`.execute(tx)
  const { rows } = await sql<{ id: number; name: string }>`
    select id, called as name
      from (
        select subject.id, subject.name, ${calledName} as called
          from logo_subjects subject
         where subject.id = any (${ids}::bigint[])
      ) subject
     where called <> name`.execute(tx)
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
