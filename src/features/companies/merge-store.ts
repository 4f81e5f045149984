import { sql } from 'kysely'
import type { Transaction } from '../../database/open.ts'

export type Move = { from: number; into: number; now: Date }

/** Behind those that the surviving Company has, in the order that they had: it keeps its name. */
export async function mergeIdentities(tx: Transaction, { from, into }: Move): Promise<void> {
  await sql`
    update company_identities
       set company_id = ${into},
           seniority = seniority + 1 + (select max(seniority) from company_identities where company_id = ${into})
     where company_id = ${from}`.execute(tx)
}

/** Facts of the past keep the Company that they named; through merged_into it leads to the one that answers. */
export async function mergeFacts(tx: Transaction, { from, into }: Move): Promise<{ licenses: number }> {
  const { numAffectedRows } = await sql`
    update licenses set company_id = ${into} where company_id = ${from}`.execute(tx)
  await sql`
    update authorisations set company_id = ${into} where company_id = ${from} and known_to is null`.execute(
    tx,
  )
  return { licenses: Number(numAffectedRows ?? 0) }
}

/** People work for the survivor now. A suppressed name stays where it was decided: it follows merged_into by itself. */
export async function mergePeople(tx: Transaction, { from, into }: Move): Promise<void> {
  await sql`update contacts set company_id = ${into} where company_id = ${from}`.execute(tx)
}

/** Closes what a domain has with the merged Company and opens it anew, unless the survivor has the same already. */
export async function mergeRelations(tx: Transaction, { from, into, now }: Move): Promise<void> {
  await sql`
    with closed as (
      update domain_companies
         set known_to = ${now}
       where company_id = ${from} and known_to is null
      returning domain_id, relation, brand, stream, company_key
    )
    insert into domain_companies (domain_id, company_id, relation, brand, stream, company_key, known_from)
    select domain_id, ${into}, relation, brand, stream, company_key, ${now}
      from closed
     where not exists (
       select from domain_companies held
        where held.company_id = ${into}
          and (held.domain_id, held.relation, held.stream) = (closed.domain_id, closed.relation, closed.stream)
          and held.known_to is null
     )
     order by domain_id`.execute(tx)
}

/** One step to the Company that answers, never two: what was merged into `from` before goes along. */
export async function markMerged(tx: Transaction, { from, into, now }: Move): Promise<void> {
  await sql`
    update companies
       set merged_into = ${into},
           last_updated_at = ${now}
     where id = ${from} or merged_into = ${from}`.execute(tx)
}
