import { sql } from 'kysely'
import type { Transaction } from '../../database/open.ts'
import { anySuppressed, suppressedAmong } from '../../features/suppressions/index.ts'
import { makeRefs } from '../stage/map-keys-store.ts'
import { analyse, dropEarlierLines } from '../stage/staging-store.ts'
import type { UpsertContext, UpsertResult } from './upsert-context.ts'

// A profile identifies a person of a company, or else the name does. A name without a profile means the
// person of that name who has one. A line replaces its person, except for the profile and collection date.
export async function upsertContacts({ tx, now }: UpsertContext): Promise<UpsertResult> {
  const suppressed = await dropSuppressed(tx)
  await dropEarlierLines(tx, 'staged_contacts', ['company', 'profile_key', 'named_by'])
  await addKnownProfiles(tx)
  await compareContacts(tx, now)
  await sql`
    delete from contacts contact
     using profiled_names profiled
     where contact.company_key = profiled.company
       and contact.name_key = profiled.name_key
       and contact.profile_key is null
       and contact.id not in (select contact_id from compared_contacts where contact_id is not null)`.execute(
    tx,
  )
  await sql`
    update contacts contact
       set ${sql.join(columns.map(column => sql`${sql.ref(column)} = ${sql.ref(`compared.${column}`)}`))}
      from compared_contacts compared
     where contact.id = compared.contact_id and compared.is_changed`.execute(tx)
  await insertNew(tx)
  const { rows } = await sql<UpsertResult>`
    select count(*) filter (where is_new) as added,
           count(*) filter (where is_changed) as changed
      from compared_contacts`.execute(tx)
  return { ...(rows[0] as UpsertResult), suppressed }
}

const columns = [
  'company_id',
  'name',
  'name_key',
  'title',
  'headline',
  'email',
  'linkedin_url',
  'profile_key',
  'country',
  'source',
  'source_url',
  'collected_at',
  'last_verified_at',
  'fetched_at',
] as const

const columnsOf = (table: string) => sql.join(columns.map(column => sql.ref(`${table}.${column}`)))

const linesAtOnce = 2_000

type StagedContact = {
  position: number
  name: string
  email: string | null
  linkedin_url: string | null
  company_id: number | null
}

async function dropSuppressed(tx: Transaction): Promise<number> {
  if (!(await anySuppressed(tx))) return 0
  await sql`create index on staged_contacts (position)`.execute(tx)
  let dropped = 0
  for (let after = 0; ; ) {
    const { rows } = await sql<StagedContact>`
      select staged.position, staged.name, staged.email, staged.linkedin_url, mapped.company_id
        from staged_contacts staged
        join mapped_companies mapped on mapped.key = staged.company
       where staged.position > ${after}
       order by staged.position
       limit ${linesAtOnce}`.execute(tx)
    const last = rows.at(-1)
    if (last === undefined) return dropped
    const people = rows.map(({ name, email, linkedin_url, company_id: companyId }) => ({
      name,
      emails: email === null ? [] : [email],
      profiles: linkedin_url === null ? [] : [linkedin_url],
      employer: { companyId },
    }))
    const suppressed = await suppressedAmong(tx, people)
    const positions = rows.filter((_, index) => suppressed[index]).map(row => row.position)
    await sql`delete from staged_contacts where position = any (${positions}::bigint[])`.execute(tx)
    dropped += positions.length
    after = last.position
  }
}

// Gives each line without a profile the one that profiled_names has for its name. Of two such lines the
// later one wins.
async function addKnownProfiles(tx: Transaction): Promise<void> {
  await sql`
    create temp table profiled_names on commit drop as
    select distinct on (company, name_key) company, name_key, profile_key, linkedin_url, position
      from (
        select company, name_key, profile_key, linkedin_url, position
          from staged_contacts
         where profile_key is not null
        union all
        select stored.company_key, stored.name_key, stored.profile_key, stored.linkedin_url, null
          from contacts stored
         where stored.profile_key is not null
           and stored.company_key in (select company from staged_contacts)
           and not exists (
             select from staged_contacts staged
              where staged.company = stored.company_key and staged.profile_key = stored.profile_key
           )
      ) named
     order by company, name_key, profile_key`.execute(tx)
  await analyse(tx, 'profiled_names')
  await sql`
    delete from staged_contacts line
     using profiled_names profiled
     where line.company = profiled.company
       and line.named_by = profiled.name_key
       and line.position < profiled.position`.execute(tx)
  await sql`
    delete from staged_contacts line
     using profiled_names profiled, staged_contacts later
     where line.position = profiled.position
       and later.company = profiled.company
       and later.named_by = profiled.name_key`.execute(tx)
  await sql`
    update staged_contacts line
       set profile_key = profiled.profile_key,
           linkedin_url = profiled.linkedin_url
      from profiled_names profiled
     where line.company = profiled.company and line.named_by = profiled.name_key`.execute(tx)
}

async function compareContacts(tx: Transaction, now: Date): Promise<void> {
  await sql`
    create temp table compared_contacts on commit drop as
    with lines as (
      select staged.*, mapped.company_id, coalesce(by_profile.id, by_name.id) as contact_id,
             coalesce(staged.collected_at, by_profile.collected_at, by_name.collected_at, ${now}::timestamptz)
               as collected
        from staged_contacts staged
        join mapped_companies mapped on mapped.key = staged.company
        left join profiled_names profiled
          on profiled.company = staged.company
         and profiled.name_key = staged.name_key
         and profiled.profile_key = staged.profile_key
        left join contacts by_profile
          on by_profile.company_key = staged.company and by_profile.profile_key = staged.profile_key
        left join contacts by_name
          on by_name.company_key = staged.company
         and by_name.name_key = staged.name_key
         and by_name.profile_key is null
         and by_profile.id is null
         and (staged.profile_key is null or profiled.company is not null)
    ),
    compared as (
      select contact_id, contact_id is null as is_new, company as company_key, company_id, name, name_key,
             title, headline, email, linkedin_url, profile_key, country, source, source_url,
             collected as collected_at, last_verified_at, fetched_at
        from lines
    )
    select compared.*,
           contact.id is not null
             and (${columnsOf('compared')}) is distinct from (${columnsOf('contact')}) as is_changed
      from compared
      left join contacts contact on contact.id = compared.contact_id`.execute(tx)
  await analyse(tx, 'compared_contacts')
}

async function insertNew(tx: Transaction): Promise<void> {
  const refs = await makeRefs(tx, 'con', 'compared_contacts')
  if (refs === null) return
  await sql`
    insert into contacts (contact_ref, company_key, ${sql.join(columns.map(column => sql.ref(column)))})
    select fresh.ref, numbered.company_key, ${columnsOf('numbered')}
      from (
        select compared.*,
               row_number() over (order by company_key collate "C", profile_key, name_key) as number
          from compared_contacts compared
         where is_new
      ) numbered
      join ${refs.rows} fresh on fresh.position = numbered.number
     order by numbered.number`.execute(tx)
}
