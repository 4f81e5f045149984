/**
 * A wrong link is worse than a duplicate, which a merge can fix. Only a registration number, or legal name
 * and country, links a licensee to a Company, and only to exactly one. Doubts become notices. All licensees
 * of a snapshot are linked together, numbers first, so that their order does not matter.
 */
import { sql } from 'kysely'
import type { Transaction } from '../../database/open.ts'
import type { IncomingSnapshot } from '../apply/incoming-snapshot.ts'

export async function linkLicensees(tx: Transaction, snapshot: IncomingSnapshot): Promise<void> {
  await linkNumbered(tx)
  await foundNumbered(tx)
  await insertCompanies(tx, snapshot)
  await linkNamed(tx)
  await foundOthers(tx)
  await insertCompanies(tx, snapshot)
}

/** Identifies a party by its number, or by number and name if the number proves nothing. */
const party = sql`
  licensee.registration || case
    when licensee.number_proves then ''
    else '|' || coalesce(licensee.name_key || '|' || licensee.country, licensee.record_key)
  end`

/** Links by number, else by name, unless that Company has another number there or two parties match it. */
async function linkNumbered(tx: Transaction): Promise<void> {
  await sql`
    with numbered as (
      select licensee.*, ${party} as party
        from licensee_identities licensee
       where is_new and registration is not null
    ),
    by_number as (
      select party, count(distinct identity.company_id) as companies, min(identity.company_id) as company_id
        from numbered
        join company_identities identity using (registration)
       where number_proves
       group by party
    ),
    by_name as (
      select distinct party, numbered.registration, identity.company_id
        from numbered
        join company_identities identity
          on (identity.name_key, identity.country) = (numbered.name_key, numbered.country)
       where party not in (select party from by_number)
    ),
    candidates as (
      select party, company_id, registration,
             count(*) over (partition by party) as companies,
             exists (
               select from company_identities other
                where other.company_id = by_name.company_id
                  and split_part(other.registration, ':', 1) = split_part(by_name.registration, ':', 1)
                  and other.registration <> by_name.registration
             ) as contradicted
        from by_name
    ),
    links as (
      select party,
             case when companies = 1 then company_id end as company_id,
             case when companies > 1 then 'registration number of several Companies: not linked' end
               as obstacle
        from by_number
      union
      select party,
             case when companies = 1 and not contradicted and parties = 1 then company_id end,
             case
               when companies > 1 or (not contradicted and parties > 1)
                 then 'name of several Companies: not linked'
               when contradicted then 'name of a Company with another registration number: not linked'
             end
        from (
          select *,
                 count(*) filter (where companies = 1 and not contradicted) over (
                   partition by company_id, split_part(registration, ':', 1)
                 ) as parties
            from candidates
        ) wanted
    )
    update licensee_identities licensee
       set company_id = links.company_id,
           obstacle = links.obstacle
      from links
     where licensee.is_new and licensee.registration is not null and ${party} = links.party`.execute(tx)
}

/** Creates a Company for a number without one. Its first account by key is the founder. */
async function foundNumbered(tx: Transaction): Promise<void> {
  await sql`
    with founders as (
      select ${party} as party, min(licensee.record_key collate "C") as founder
        from licensee_identities licensee
       where is_new and registration is not null and company_id is null
       group by 1
    )
    update licensee_identities licensee
       set founder = founders.founder
      from founders
     where licensee.is_new
       and licensee.registration is not null
       and licensee.company_id is null
       and ${party} = founders.party`.execute(tx)
}

/** Links licensees without a number by name and country, even to Companies that were just founded. */
async function linkNamed(tx: Transaction): Promise<void> {
  await sql`
    with by_name as (
      select licensee.record_key, count(distinct identity.company_id) as companies,
             min(identity.company_id) as company_id
        from licensee_identities licensee
        join company_identities identity
          on (identity.name_key, identity.country) = (licensee.name_key, licensee.country)
       where licensee.is_new and licensee.registration is null
       group by licensee.record_key
    )
    update licensee_identities licensee
       set company_id = case when by_name.companies = 1 then by_name.company_id end,
           obstacle = case when by_name.companies > 1 then 'name of several Companies: not linked' end
      from by_name
     where licensee.record_key = by_name.record_key`.execute(tx)
}

/**
 * Creates a Company for a name without one, with all its accounts. Without a country, each account gets a
 * Company.
 */
async function foundOthers(tx: Transaction): Promise<void> {
  await sql`
    with founders as (
      select name_key, country, min(record_key collate "C") as founder
        from licensee_identities
       where is_new and company_id is null and obstacle is null
         and name_key is not null and country is not null
       group by name_key, country
    ),
    founding as (
      select licensee.record_key,
             case when licensee.obstacle is null then founders.founder end as founder
        from licensee_identities licensee
        left join founders using (name_key, country)
       where licensee.is_new and licensee.company_id is null
    )
    update licensee_identities licensee
       set founder = coalesce(founding.founder, licensee.record_key)
      from founding
     where licensee.record_key = founding.record_key`.execute(tx)
}

async function insertCompanies(tx: Transaction, { stream, takenAt, now }: IncomingSnapshot): Promise<void> {
  await sql`analyze licensee_identities`.execute(tx)
  await sql`
    insert into companies (company_ref, subject_kind, first_seen_at, last_updated_at)
    select ref, 'unknown', ${takenAt}, ${now}
      from licensee_identities
     where founder = record_key and company_id is null
     order by record_key collate "C"`.execute(tx)
  await sql`
    update licensee_identities licensee
       set company_id = company.id
      from licensee_identities founder
      join companies company on company.company_ref = founder.ref
     where founder.record_key = licensee.founder
       and licensee.company_id is null`.execute(tx)
  await sql`
    insert into company_identities (stream, identity_key, company_id, known_from, first_seen_at, company_name,
                                    legal_entity, subject_kind, role, country, brands, evidence_routes,
                                    name_key,
                                    registration)
    select ${stream.key}, record_key, company_id, ${now}, ${takenAt}, legal_name, legal_name,
           case when is_person then 'unknown' else 'legal_entity' end,
           '{unknown}', country, trading_names, '{register}', name_key, registration
      from licensee_identities
     where is_new and company_id is not null
    on conflict (stream, identity_key) do nothing`.execute(tx)
}

export type UnlinkedLicensees = { notice: string; count: number; examples: string[] }

const examplesMax = 5

export async function findUnlinked(tx: Transaction): Promise<UnlinkedLicensees[]> {
  const { rows } = await sql<UnlinkedLicensees>`
    select obstacle as notice, count(*) as count,
           (array_agg(legal_name || ' (' || record_key || ')' order by record_key collate "C")
           )[:${sql.lit(examplesMax)}] as examples
      from licensee_identities
     where obstacle is not null
     group by obstacle
     order by obstacle`.execute(tx)
  return rows
}
