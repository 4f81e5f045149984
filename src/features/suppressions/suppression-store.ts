import { sql } from 'kysely'
import type { Database, Transaction } from '../../database/open.ts'

export type Handle = 'email' | 'profile' | 'name'

export async function anySuppressed(database: Database): Promise<boolean> {
  const { rows } = await sql<{ any: boolean }>`select exists (select from suppressions) as any`.execute(
    database,
  )
  return rows[0]?.any ?? false
}

export type SuppressionMatch = {
  handle: Handle
  digest: Buffer
  /** The Company of a name; null for addresses and profiles, which are suppressed everywhere. */
  company_id: number | null
}

/** Finds suppressions by digest. Merged Companies are replaced by their survivor. */
export async function findSuppressions(database: Database, digests: readonly Buffer[]) {
  const { rows } = await sql<SuppressionMatch>`
    select suppression.handle, suppression.digest, coalesce(company.merged_into, company.id) as company_id
      from suppressions suppression
      left join companies company on company.id = suppression.company_id
     where suppression.digest = any (${[...digests]}::bytea[])`.execute(database)
  return rows
}

/** A Company, with the names and domains of Companies that were merged into it. */
export type Employer = { company_id: number; refs: string[]; names: string[]; domains: string[] }

export async function readEmployers(database: Database, companyIds: readonly number[]): Promise<Employer[]> {
  const { rows } = await sql<Employer>`
    select answering.id as company_id,
           array(
             select member.company_ref
               from companies member
              where answering.id in (member.id, member.merged_into)
           ) as refs,
           array(
             select distinct name
               from companies member
              cross join lateral unnest(
                      array[member.company_name, member.legal_entity] || member.brands || member.aliases
                    ) as name
              where answering.id in (member.id, member.merged_into) and name is not null
           ) as names,
           array(
             select distinct domain.domain
               from domains_of_company(answering.id) link
               join domains domain on domain.id = link.domain_id
           ) as domains
      from companies answering
     where answering.id = any (${[...companyIds]}::bigint[])`.execute(database)
  return rows
}

export type NewSuppressionDecision = { reason: string; decidedAt: Date }

export async function insertSuppressionDecision(
  tx: Transaction,
  { reason, decidedAt }: NewSuppressionDecision,
): Promise<number> {
  const { rows } = await sql<{ id: number }>`
    insert into suppression_decisions (reason, decided_at, contacts, stored_answers, listed_contacts)
    values (${reason}, ${decidedAt}, 0, 0, 0)
    returning id`.execute(tx)
  return (rows[0] as { id: number }).id
}

export type Removed = { contacts: number; stored_answers: number; listed_contacts: number }

export async function completeDecision(tx: Transaction, id: number, removed: Removed): Promise<void> {
  await sql`
    update suppression_decisions
       set contacts = ${removed.contacts},
           stored_answers = ${removed.stored_answers},
           listed_contacts = ${removed.listed_contacts}
     where id = ${id}`.execute(tx)
}

export type NewSuppression = { handle: Handle; digest: Buffer; company_id: number | null }

export async function insertSuppressions(
  tx: Transaction,
  decisionId: number,
  suppressions: readonly NewSuppression[],
): Promise<number> {
  const { numAffectedRows } = await sql`
    insert into suppressions (decision_id, handle, company_id, digest)
    select ${decisionId}, handle, company_id, digest
      from unnest(
             ${suppressions.map(each => each.handle)}::text[],
             ${suppressions.map(each => each.company_id)}::bigint[],
             ${suppressions.map(each => each.digest)}::bytea[]
           ) as named (handle, company_id, digest)
    on conflict do nothing`.execute(tx)
  return Number(numAffectedRows ?? 0)
}

export async function firstDecisionSince(database: Database, since: Date): Promise<Date | null> {
  const { rows } = await sql<{ first: Date | null }>`
    select min(decided_at) as first from suppression_decisions where decided_at >= ${since}`.execute(database)
  return rows[0]?.first ?? null
}
