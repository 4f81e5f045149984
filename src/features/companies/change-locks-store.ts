import { sql } from 'kysely'
import type { Transaction } from '../../database/open.ts'

/** Call before writing. All writers lock domains in id order, to avoid deadlocks. */
export async function lockDomainsOfCompanies(
  tx: Transaction,
  companyIds: readonly number[],
): Promise<number[]> {
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

/** Call after `lockDomainsOfCompanies`: syncs lock in the same order. */
export async function lockCompanies(tx: Transaction, ids: readonly number[]): Promise<void> {
  await sql`
    select 1 from companies where id = any (${[...ids]}::bigint[]) order by id for no key update`.execute(tx)
}
