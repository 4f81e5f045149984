import { sql } from 'kysely'
import type { Transaction } from '../database/open.ts'

/** Closes the list of touched domains: from now on it is read, in id order. */
export async function gatherTouchedDomains(tx: Transaction): Promise<void> {
  await sql`
    create temp table affected_domains on commit drop as
    select distinct domain_id from touched_domains order by domain_id`.execute(tx)
  await sql`create index on affected_domains (domain_id)`.execute(tx)
  await sql`analyze affected_domains`.execute(tx)
}

export async function readTouchedDomains(tx: Transaction, after: number, atOnce: number): Promise<number[]> {
  const { rows } = await sql<{ domain_id: number }>`
    select domain_id
      from affected_domains
     where domain_id > ${after}
     order by domain_id
     limit ${atOnce}`.execute(tx)
  return rows.map(row => row.domain_id)
}

/** Locks domains in id order, as every writer of derived columns does, so that no two wait for each other. */
export async function lockDomains(tx: Transaction, domainIds: readonly number[]): Promise<void> {
  await sql`
    select count(*)
      from (
        select from domains where id = any (${[...domainIds]}::bigint[]) order by id for update
      ) locked`.execute(tx)
}
