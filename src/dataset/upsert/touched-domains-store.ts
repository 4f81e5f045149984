import { sql } from 'kysely'
import type { Transaction } from '../../database/open.ts'
import { analyse } from '../stage/staging-store.ts'

const analyseFrom = 10_000

const factTables = [
  'domain_companies',
  'licenses',
  'license_states',
  'authorisations',
  'blocklist_entries',
  'imported_observations',
  'observations',
  'platform_readings',
] as const

/** Fills affected_domains and returns its size. Without statistics each chunk would scan whole tables. */
export async function gatherTouchedDomains(tx: Transaction): Promise<number> {
  await sql`
    create temp table affected_domains on commit drop as
    select domain_id, bool_or(in_registers) as in_registers, bool_or(in_observations) as in_observations
      from touched_domains
     group by domain_id
     order by domain_id`.execute(tx)
  const { rows } = await sql<{ count: number }>`select count(*) as count from affected_domains`.execute(tx)
  const count = rows[0]?.count ?? 0
  if (count < analyseFrom) return count
  await sql`create index on affected_domains (domain_id)`.execute(tx)
  await analyse(tx, 'affected_domains')
  for (const table of factTables) await analyse(tx, table)
  await sql`select set_config('random_page_cost', '1.1', true)`.execute(tx)
  return count
}

/** Says what changed of a domain: facts of registers, on which verdicts depend, or observations. */
export type TouchedDomain = { id: number; inRegisters: boolean; inObservations: boolean }

export async function readTouchedDomains(
  tx: Transaction,
  after: number,
  atOnce: number,
): Promise<TouchedDomain[]> {
  const { rows } = await sql<TouchedDomain>`
    select domain_id as id, in_registers as "inRegisters", in_observations as "inObservations"
      from affected_domains
     where domain_id > ${after}
     order by domain_id
     limit ${atOnce}`.execute(tx)
  return rows
}

/** Locks in id order, as every writer of derived columns does, so that writers cannot deadlock. */
export async function lockTouchedDomains(tx: Transaction, domainIds: readonly number[]): Promise<void> {
  await sql`
    select count(*)
      from (
        select from domains where id = any (${[...domainIds]}::bigint[]) order by id for update
      ) locked`.execute(tx)
}
