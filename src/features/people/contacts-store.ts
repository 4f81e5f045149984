import { sql } from 'kysely'
import type { Database, RowOf, Transaction } from '../../database/open.ts'
import { importStream } from '../../journal/events-store.ts'

export type StoredContact = Omit<RowOf<'contacts'>, 'company_id' | 'company_key'>

export type EmployingCompany = { id: number; company_ref: string }

export async function findEmployer(database: Database, ref: string): Promise<EmployingCompany | undefined> {
  const { rows } = await sql<EmployingCompany>`
    select answering.id, answering.company_ref
      from companies requested
      join companies answering on answering.id = coalesce(requested.merged_into, requested.id)
     where requested.company_ref = ${ref}
       -- none: only a discarded snapshot named it
       and exists (select from company_identities where company_id = answering.id)`.execute(database)
  return rows[0]
}

/**
 * Reads the reachable contacts of a Company. A replica is never read: it may still have suppressed people.
 */
export async function readReachable(database: Database, companyId: number): Promise<StoredContact[]> {
  const { rows } = await sql<StoredContact>`
    select id, contact_ref, name, name_key, title, headline, email, linkedin_url, profile_key, country,
           source, source_url, collected_at, last_verified_at, fetched_at
      from contacts
     where company_id = ${companyId}
       and (email is not null or linkedin_url is not null)`.execute(database)
  return rows
}

const domainsAskedMax = 3

/** Reads the key under which a Company's contacts are stored, and its domains, the primary one first. */
export async function readSourceKeys(database: Database, { id, company_ref }: EmployingCompany) {
  const { rows } = await sql<{ company: string; domains: string[] }>`
    select coalesce(
             (select company_key from contacts where company_id = ${id}
               order by collected_at desc, id desc limit 1),
             (select identity_key from company_identities
               where company_id = ${id} and stream = ${importStream} order by seniority limit 1),
             ${company_ref}
           ) as company,
           array(
             select domain.domain
               from domains domain
               left join company_search shown on shown.id = ${id}
              where domain.id in (select domain_id from domains_of_company(${id}))
              order by domain.domain = shown.hit -> 'primary_domain' ->> 'domain' desc nulls last,
                       domain.domain collate "C"
              limit ${domainsAskedMax}
           ) as domains`.execute(database)
  return rows[0] as { company: string; domains: string[] }
}

/** The number of people with a title, or with a headline if they have no title. */
export type WordsCount = { by_headline: boolean; words: string; people: number }

const words = sql`coalesce(title, headline) collate "C"`

export async function readWordsCounts(
  database: Database,
  after: Pick<WordsCount, 'by_headline' | 'words'>,
  limit: number,
): Promise<WordsCount[]> {
  const { rows } = await sql<WordsCount>`
    select title is null as by_headline, ${words} as words, count(*) as people
      from contacts
     where (email is not null or linkedin_url is not null)
       and coalesce(title, headline) is not null
       and (title is null, ${words}) > (${after.by_headline}, ${after.words})
     group by title is null, ${words}
     order by title is null, ${words}
     limit ${limit}`.execute(database)
  return rows
}

/** Finds merged Companies, which may have the same person under several keys. */
export async function findSharedEmployers(database: Database): Promise<number[]> {
  const { rows } = await sql<{ company_id: number }>`
    select company_id
      from contacts
     where email is not null or linkedin_url is not null
     group by company_id
    having count(distinct coalesce(company_key, '')) > 1`.execute(database)
  return rows.map(row => row.company_id)
}

export async function readContactsVersion(database: Database): Promise<number> {
  const { rows } = await sql<{ version: number }>`select version from dataset_version`.execute(database)
  return rows[0]?.version ?? 0
}

export type Handles = {
  emails: string[]
  profiles: string[]
  names: { key: string; company_id: number }[]
}

export type MatchedContact = RowOf<
  'contacts',
  'id' | 'company_id' | 'name' | 'name_key' | 'email' | 'profile_key'
>

export async function findByHandles(tx: Transaction, { emails, profiles, names }: Handles) {
  const { rows } = await sql<MatchedContact>`
    select id, company_id, name, name_key, email, profile_key
      from contacts
     where email = any (${emails}::text[])
        or profile_key = any (${profiles}::text[])
        or (name_key, company_id) in (
             select name_key, company_id
               from unnest(
                      ${names.map(each => each.key)}::text[], ${names.map(each => each.company_id)}::bigint[]
                    ) as named (name_key, company_id)
           )
     order by id`.execute(tx)
  return rows
}

export async function readContactsOf(tx: Transaction, companyId: number): Promise<MatchedContact[]> {
  const { rows } = await sql<MatchedContact>`
    select id, company_id, name, name_key, email, profile_key
      from contacts
     where company_id = ${companyId}
     order by id`.execute(tx)
  return rows
}

export async function deleteContacts(tx: Transaction, ids: readonly number[]): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from contacts where id = any (${[...ids]}::bigint[])`.execute(tx)
  return Number(numAffectedRows ?? 0)
}
