import { sql } from 'kysely'
import type { Transaction } from '../database/open.ts'
import type { IncomingSnapshot } from './incoming-snapshot.ts'

/**
 * The Companies that the stream's licensees are: a new account is a new Company, a known one brings its Company up to
 * date. Answers how many were made or changed. A licensee that the register no longer has stays a Company.
 */
export async function applyCompanies(tx: Transaction, snapshot: IncomingSnapshot): Promise<number> {
  const made = await insertCompanies(tx, snapshot)
  await lockCompanies(tx, snapshot)
  return made + (await updateCompanies(tx, snapshot))
}

async function insertCompanies(tx: Transaction, { stream, takenAt, now }: IncomingSnapshot): Promise<number> {
  const { numAffectedRows } = await sql`
    with made as (
      insert into companies (company_ref, company_name, legal_entity, subject_kind, role, country, brands,
                             evidence_routes, first_seen_at, last_updated_at)
      select ref, legal_name, legal_name, 'legal_entity', '{unknown}', country, trading_names, '{register}',
             ${takenAt}, ${now}
        from staged_licensees licensee
       where not exists (
         select from company_identities identity
          where identity.stream = ${stream.key}
            and identity.identity_key = licensee.record_key
       )
      returning id, company_ref
    )
    insert into company_identities (stream, identity_key, company_id, known_from)
    select ${stream.key}, licensee.record_key, made.id, ${now}
      from made
      join staged_licensees licensee on licensee.ref = made.company_ref`.execute(tx)
  return Number(numAffectedRows ?? 0)
}

/** In id order, in a statement of its own: a Company can be shared with another stream, or be merged meanwhile. */
async function lockCompanies(tx: Transaction, { stream }: IncomingSnapshot): Promise<void> {
  await sql`
    select count(*)
      from (
        select from companies
         where id in (
           select identity.company_id
             from staged_licensees licensee
             join company_identities identity
               on identity.stream = ${stream.key} and identity.identity_key = licensee.record_key
         )
         order by id
         for no key update
      ) locked`.execute(tx)
}

/**
 * A Company with several identities goes by its oldest: otherwise two accounts that spell one name in two ways would
 * rename it at every sync.
 */
async function updateCompanies(tx: Transaction, { stream, now }: IncomingSnapshot): Promise<number> {
  const { numAffectedRows } = await sql`
    update companies company
       set company_name = licensee.legal_name,
           legal_entity = licensee.legal_name,
           country = coalesce(licensee.country, company.country),
           brands = licensee.trading_names,
           last_updated_at = ${now}
      from staged_licensees licensee
      join company_identities identity
        on identity.stream = ${stream.key} and identity.identity_key = licensee.record_key
     where company.id = identity.company_id
       and (company.company_name, company.legal_entity, company.country, company.brands)
           is distinct from
           (licensee.legal_name, licensee.legal_name, coalesce(licensee.country, company.country), licensee.trading_names)
       and not exists (
         select from company_identities older
          where older.company_id = company.id
            and (older.known_from, older.stream, older.identity_key)
              < (identity.known_from, identity.stream, identity.identity_key)
       )`.execute(tx)
  return Number(numAffectedRows ?? 0)
}

/**
 * Who holds a domain authorisation, by itself or through a license, is an operator, and remains known as one. A
 * licensee without any is `unknown`: a register lists suppliers beside operators, and no role is guessed.
 */
export async function markOperators(tx: Transaction, { stream, now }: IncomingSnapshot): Promise<void> {
  await sql`
    update companies company
       set role = array_append(array_remove(company.role, 'unknown'), 'operator'),
           last_updated_at = ${now}
     where not 'operator' = any (company.role)
       and company.id in (
         select coalesce(authorisation.company_id, license.company_id)
           from affected_domains affected
           join authorisations authorisation using (domain_id)
           left join licenses license on license.id = authorisation.license_id
          where authorisation.stream = ${stream.key}
       )`.execute(tx)
}
