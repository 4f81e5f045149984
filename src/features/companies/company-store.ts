import { sql } from 'kysely'
import type { Database, RowOf, Transaction } from '../../database/open.ts'

/** An identity is the same in every database that was loaded from the same sources. */
export type Identity = [stream: string, identityKey: string]

export type StoredCompany = {
  id: number
  company_ref: string
  company_name: string | null
  /** The ref of the surviving Company; null if this one was not merged. */
  merged_into: string | null
}

/** Finds a Company by its ref. Companies that only a discarded snapshot named are not found. */
export async function findCompany(database: Database, ref: string): Promise<StoredCompany | undefined> {
  const { rows } = await sql<StoredCompany>`
    select company.id, company.company_ref, company.company_name, survivor.company_ref as merged_into
      from companies company
      left join companies survivor on survivor.id = company.merged_into
     where company.company_ref = ${ref}
       and (company.merged_into is not null
            or exists (select from company_identities where company_id = company.id))`.execute(database)
  return rows[0]
}

export async function readIdentities(database: Database, companyId: number): Promise<Identity[]> {
  const { rows } = await sql<{ stream: string; identity_key: string }>`
    select stream, identity_key
      from company_identities
     where company_id = ${companyId}
     order by stream collate "C", identity_key collate "C"`.execute(database)
  return rows.map(row => [row.stream, row.identity_key])
}

/** Returns the refs of the Companies with these identities; unknown identities are left out. */
export async function findCompanyRefs(database: Database, identities: readonly Identity[]) {
  const { rows } = await sql<{ company_ref: string }>`
    select distinct company.company_ref
      from ${identityRows(identities)}
      join company_identities identity using (stream, identity_key)
      join companies company on company.id = identity.company_id`.execute(database)
  return rows.map(row => row.company_ref)
}

export function identityRows(identities: readonly Identity[]) {
  return sql`unnest(
    ${identities.map(([stream]) => stream)}::text[], ${identities.map(([, key]) => key)}::text[]
  ) as named (stream, identity_key)`
}

export type IdentityDetail = RowOf<
  'company_identities',
  'stream' | 'identity_key' | 'company_name' | 'legal_entity' | 'country' | 'registration' | 'known_from'
>

export async function readIdentityDetails(database: Database, companyId: number): Promise<IdentityDetail[]> {
  const { rows } = await sql<IdentityDetail>`
    select stream, identity_key, company_name, legal_entity, country, registration, known_from
      from company_identities
     where company_id = ${companyId}
     order by seniority, known_from, stream collate "C", identity_key collate "C"`.execute(database)
  return rows
}

export async function readMergedRefs(database: Database, companyId: number): Promise<string[]> {
  const { rows } = await sql<{ company_ref: string }>`
    select company_ref
      from companies
     where merged_into = ${companyId}
     order by company_ref collate "C"`.execute(database)
  return rows.map(row => row.company_ref)
}

export type Decision = {
  kind: 'merge' | 'split'
  /** A merge joined `from_ref` into `into_ref`. A split moved its identities to `into_ref`. */
  from_ref: string
  into_ref: string
  identities: Identity[]
  reason: string
  decided_at: Date
}

export async function readDecisions(database: Database, companyId: number): Promise<Decision[]> {
  const { rows } = await sql<Decision>`
    select decision.kind, company.company_ref as from_ref, other.company_ref as into_ref, decision.identities,
           decision.reason, decision.decided_at
      from company_decisions decision
      join companies company on company.id = decision.company_id
      join companies other on other.id = decision.other_company_id
     where ${companyId} in (decision.company_id, decision.other_company_id)
     order by decision.id`.execute(database)
  return rows
}

export type NewCompanyDecision = {
  kind: 'merge' | 'split'
  companyId: number
  otherCompanyId: number
  identities: readonly Identity[]
  reason: string
  decidedAt: Date
}

export async function writeDecision(tx: Transaction, decision: NewCompanyDecision): Promise<void> {
  await sql`
    insert into company_decisions (kind, company_id, other_company_id, identities, reason, decided_at)
    values (${decision.kind}, ${decision.companyId}, ${decision.otherCompanyId},
            ${JSON.stringify(decision.identities)}, ${decision.reason}, ${decision.decidedAt})`.execute(tx)
}

/** Locks the domains of these Companies before a write. All writers lock in id order, to avoid deadlocks. */
export async function lockDomainsOfCompanies(tx: Transaction, companyIds: readonly number[]) {
  const named = sql`any (${[...companyIds]}::bigint[])`
  const { rows } = await sql<{ domain_id: number }>`
    select authorisation.domain_id
      from licenses license
      join authorisations authorisation
        on authorisation.license_id = license.id and authorisation.known_to is null
     where license.company_id = ${named}
    union
    select domain_id from authorisations where company_id = ${named} and known_to is null
    union
    select domain_id from domain_companies where company_id = ${named} and known_to is null
    union
    select id from domains where licensee_company_id = ${named}
     order by domain_id`.execute(tx)
  const ids = rows.map(row => row.domain_id)
  await sql`
    select count(*)
      from (
        select from domains where id = any (${ids}::bigint[]) order by id for update
      ) locked`.execute(tx)
  return ids
}

/** Locks these Companies. Call it after `lockDomainsOfCompanies`, because syncs lock in the same order. */
export async function lockCompanies(tx: Transaction, ids: readonly number[]): Promise<void> {
  await sql`
    select 1 from companies where id = any (${[...ids]}::bigint[]) order by id for no key update`.execute(tx)
}
