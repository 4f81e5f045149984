import { sql } from 'kysely'
import type { Transaction } from '../../database/open.ts'
import { anySuppressed, suppressedAmong } from '../../features/people/index.ts'
import { makeRefs } from '../stage/map-keys-store.ts'
import { analyse, keepLastLines } from '../stage/staging-store.ts'
import type { UpsertContext, UpsertResult } from './upsert-context.ts'

/**
 * People. Under a key of a Company one is known by the profile, and without a profile by the name; a name that somebody
 * with a profile bears there is that person, in whatever order and in whatever files the two are told. A line tells its
 * person anew, but for the profile and the date of collection. People who are suppressed are not taken in.
 */
export async function upsertContacts({ tx, now }: UpsertContext): Promise<UpsertResult> {
  const suppressed = await dropSuppressed(tx)
  await keepLastLines(tx, 'staged_contacts', ['company', 'profile_key', 'named_by'])
  await giveProfiles(tx)
  await judgeContacts(tx, now)
  await sql`
    delete from contacts contact
     using bearers bearer
     where contact.company_key = bearer.company
       and contact.name_key = bearer.name_key
       and contact.profile_key is null
       and contact.id not in (select contact_id from judged_contacts where contact_id is not null)`.execute(
    tx,
  )
  await sql`
    update contacts contact
       set ${sql.join(told.map(column => sql`${sql.ref(column)} = ${sql.ref(`judged.${column}`)}`))}
      from judged_contacts judged
     where contact.id = judged.contact_id and judged.is_changed`.execute(tx)
  await insertNew(tx)
  const { rows } = await sql<UpsertResult>`
    select count(*) filter (where is_new) as added,
           count(*) filter (where is_changed) as changed
      from judged_contacts`.execute(tx)
  return { ...(rows[0] as UpsertResult), suppressed }
}

const told = [
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
] as const

const columnsOf = (table: string) => sql.join(told.map(column => sql.ref(`${table}.${column}`)))

const linesAtOnce = 2_000

type StagedContact = {
  position: number
  name: string
  email: string | null
  linkedin_url: string | null
  company_id: number | null
}

/** Takes out the lines about people who are suppressed, and tells how many they were. */
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
    const verdicts = await suppressedAmong(tx, people)
    const positions = rows.filter((_, index) => verdicts[index]).map(row => row.position)
    await sql`delete from staged_contacts where position = any (${positions}::bigint[])`.execute(tx)
    dropped += positions.length
    after = last.position
  }
}

/**
 * bearers: who of those with a profile bears a name, when the files are loaded. Lines without a profile become theirs: one
 * that is told later than the line of its bearer tells the bearer anew.
 */
async function giveProfiles(tx: Transaction): Promise<void> {
  await sql`
    create temp table bearers on commit drop as
    select distinct on (company, name_key) company, name_key, profile_key, linkedin_url, position
      from (
        select company, name_key, profile_key, linkedin_url, position
          from staged_contacts
         where profile_key is not null
        union all
        select held.company_key, held.name_key, held.profile_key, held.linkedin_url, null
          from contacts held
         where held.profile_key is not null
           and held.company_key in (select company from staged_contacts)
           and not exists (
             select from staged_contacts staged
              where staged.company = held.company_key and staged.profile_key = held.profile_key
           )
      ) profiled
     order by company, name_key, profile_key`.execute(tx)
  await analyse(tx, 'bearers')
  await sql`
    delete from staged_contacts line
     using bearers bearer
     where line.company = bearer.company
       and line.named_by = bearer.name_key
       and line.position < bearer.position`.execute(tx)
  await sql`
    delete from staged_contacts line
     using bearers bearer, staged_contacts later
     where line.position = bearer.position
       and later.company = bearer.company
       and later.named_by = bearer.name_key`.execute(tx)
  await sql`
    update staged_contacts line
       set profile_key = bearer.profile_key,
           linkedin_url = bearer.linkedin_url
      from bearers bearer
     where line.company = bearer.company and line.named_by = bearer.name_key`.execute(tx)
}

/** judged_contacts: what each line makes of its person. Somebody held without a profile may be told with one now. */
async function judgeContacts(tx: Transaction, now: Date): Promise<void> {
  await sql`
    create temp table judged_contacts on commit drop as
    with said as (
      select staged.*, mapped.company_id, coalesce(by_profile.id, by_name.id) as contact_id,
             coalesce(staged.collected_at, by_profile.collected_at, by_name.collected_at, ${now}::timestamptz)
               as collected
        from staged_contacts staged
        join mapped_companies mapped on mapped.key = staged.company
        left join bearers bearer
          on bearer.company = staged.company
         and bearer.name_key = staged.name_key
         and bearer.profile_key = staged.profile_key
        left join contacts by_profile
          on by_profile.company_key = staged.company and by_profile.profile_key = staged.profile_key
        left join contacts by_name
          on by_name.company_key = staged.company
         and by_name.name_key = staged.name_key
         and by_name.profile_key is null
         and by_profile.id is null
         and (staged.profile_key is null or bearer.company is not null)
    ),
    judged as (
      select contact_id, contact_id is null as is_new, company as company_key, company_id, name, name_key, title,
             headline, email, linkedin_url, profile_key, country, source, source_url, collected as collected_at,
             last_verified_at
        from said
    )
    select judged.*,
           contact.id is not null and (${columnsOf('judged')}) is distinct from (${columnsOf('contact')}) as is_changed
      from judged
      left join contacts contact on contact.id = judged.contact_id`.execute(tx)
  await analyse(tx, 'judged_contacts')
}

async function insertNew(tx: Transaction): Promise<void> {
  if ((await makeRefs(tx, 'con', 'judged_contacts')) === 0) return
  await sql`
    insert into contacts (contact_ref, company_key, ${sql.join(told.map(column => sql.ref(column)))})
    select fresh.ref, numbered.company_key, ${columnsOf('numbered')}
      from (
        select judged.*, row_number() over (order by company_key collate "C", profile_key, name_key) as number
          from judged_contacts judged
         where is_new
      ) numbered
      join fresh_refs fresh on fresh.position = numbered.number
     order by numbered.number`.execute(tx)
}
