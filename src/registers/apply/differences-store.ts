import { sql } from 'kysely'
import type { Transaction } from '../../database/open.ts'
import type { Differences } from './differences.ts'

export async function countDifferences(
  tx: Transaction,
  table: 'licensee_changes' | 'license_changes' | 'authorisation_changes',
): Promise<Differences> {
  await sql`analyze ${sql.table(table)}`.execute(tx)
  const { rows } = await sql<Differences>`
    select count(*) filter (where change = 'added') as added,
           count(*) filter (where change = 'removed') as removed,
           count(*) filter (where change = 'changed') as changed,
           count(*) filter (where change in ('restated', 'inferred')) as restated
      from ${sql.table(table)}`.execute(tx)
  return rows[0] as Differences
}
