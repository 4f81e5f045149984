import { sql } from 'kysely'
import type { Transaction } from '../../database/open.ts'

export type Move = { from: number; into: number; now: Date }

/** Appends the identities of `from` to those of `into`, which therefore keeps its name. */
export async function mergeIdentities(tx: Transaction, { from, into }: Move): Promise<void> {
  await sql`
    update company_identities
       set company_id = ${into},
           seniority = seniority + 1 + (
             select max(seniority) from company_identities where company_id = ${into}
           )
     where company_id = ${from}`.execute(tx)
}

/** Moves current facts to `into`. Past facts still name `from`, and are found through `merged_into`. */
export async function mergeFacts(tx: Transaction, { from, into }: Move): Promise<{ licenses: number }> {
  const { numAffectedRows } = await sql`
    update licenses set company_id = ${into} where company_id = ${from}`.execute(tx)
  await sql`
    update authorisations set company_id = ${into} where company_id = ${from} and known_to is null`.execute(
    tx,
  )
  return { licenses: Number(numAffectedRows ?? 0) }
}

/** Moves contacts to `into`. Suppressed names stay, because they are looked up through `merged_into`. */
export async function mergePeople(tx: Transaction, { from, into }: Move): Promise<void> {
  await sql`update contacts set company_id = ${into} where company_id = ${from}`.execute(tx)
}

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
       select from domain_companies survivor
        where survivor.company_id = ${into}
          and (survivor.domain_id, survivor.relation, survivor.stream)
            = (closed.domain_id, closed.relation, closed.stream)
          and survivor.known_to is null
     )
     order by domain_id`.execute(tx)
}

/** Marks `from` as merged. Earlier merges into `from` are redirected, so that `merged_into` is one step. */
export async function markMerged(tx: Transaction, { from, into, now }: Move): Promise<void> {
  await sql`
    update companies
       set merged_into = ${into},
           last_updated_at = ${now}
     where id = ${from} or merged_into = ${from}`.execute(tx)
}
