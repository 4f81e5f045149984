/**
 * Which Company a new licensee is. Linking two parties that are not one is worse than holding one twice, for a merge
 * mends that: so only a registration number, or the legal name with the country, links, only where exactly one Company
 * fits, and every doubt keeps apart and is told. Numbers first, since they beat spelling; licensees of one snapshot
 * are judged together, so that the order in which a register prints them does not matter.
 */
import { sql } from 'kysely'
import type { Transaction } from '../../database/open.ts'
import type { IncomingSnapshot } from './incoming-snapshot.ts'

/** Gives the new rows of `licensee_identities` their Company, and writes these identities. */
export async function linkLicensees(tx: Transaction, snapshot: IncomingSnapshot): Promise<void> {
  await linkNumbered(tx)
  await foundNumbered(tx)
  await makeCompanies(tx, snapshot)
  await linkNamed(tx)
  await foundOthers(tx)
  await makeCompanies(tx, snapshot)
}

/** Those of one number are one party; where a number proves nothing, those that share the name too. */
const party = sql`
  licensee.registration || case
    when licensee.number_proves then ''
    else '|' || coalesce(licensee.name_key || '|' || licensee.country, licensee.record_key)
  end`

/**
 * Licensees with a number: to the one Company that has it, or else to the one that has the name and no other number
 * of that place, unless two parties of this snapshot would become that one.
 */
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
    weighed as (
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
    judged as (
      select party,
             case when companies = 1 then company_id end as company_id,
             case when companies > 1 then 'registration number of several Companies: kept apart' end as obstacle
        from by_number
      union
      select party,
             case when companies = 1 and not contradicted and parties = 1 then company_id end,
             case
               when companies > 1 or (not contradicted and parties > 1) then 'name of several Companies: kept apart'
               when contradicted then 'name of a Company with another registration number: kept apart'
             end
        from (
          select *,
                 count(*) filter (where companies = 1 and not contradicted) over (
                   partition by company_id, split_part(registration, ':', 1)
                 ) as parties
            from weighed
        ) wanted
    )
    update licensee_identities licensee
       set company_id = judged.company_id,
           obstacle = judged.obstacle
      from judged
     where licensee.is_new and licensee.registration is not null and ${party} = judged.party`.execute(tx)
}

/** A number that nobody has founds a Company, which is told by the first account of that number. */
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

/** Licensees without a number: to the one Company that has the name in that country, those of this snapshot among them. */
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
           obstacle = case when by_name.companies > 1 then 'name of several Companies: kept apart' end
      from by_name
     where licensee.record_key = by_name.record_key`.execute(tx)
}

/** A name that nobody has founds one Company for all accounts under it; a name without a country, one for each. */
async function foundOthers(tx: Transaction): Promise<void> {
  await sql`
    with founders as (
      select name_key, country, min(record_key collate "C") as founder
        from licensee_identities
       where is_new and company_id is null and obstacle is null and name_key is not null and country is not null
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

/** Makes the Companies that are founded, and writes the identities of all that have a Company by now. */
async function makeCompanies(tx: Transaction, { stream, takenAt, now }: IncomingSnapshot): Promise<void> {
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
                                    legal_entity, subject_kind, role, country, brands, evidence_routes, name_key,
                                    registration)
    select ${stream.key}, record_key, company_id, ${now}, ${takenAt}, legal_name, legal_name, 'legal_entity', '{unknown}',
           country, trading_names, '{register}', name_key, registration
      from licensee_identities
     where is_new and company_id is not null
    on conflict (stream, identity_key) do nothing`.execute(tx)
}

export type UnlinkedLicensees = { notice: string; count: number; examples: string[] }

const examplesMax = 5

/** Why new licensees got a Company of their own although another may be theirs: for the report, after applyCompanies. */
export async function findUnlinked(tx: Transaction): Promise<UnlinkedLicensees[]> {
  const { rows } = await sql<UnlinkedLicensees>`
    select obstacle as notice, count(*) as count,
           (array_agg(legal_name || ' (' || record_key || ')' order by record_key collate "C"))[:${sql.lit(examplesMax)}]
             as examples
      from licensee_identities
     where obstacle is not null
     group by obstacle
     order by obstacle`.execute(tx)
  return rows
}
