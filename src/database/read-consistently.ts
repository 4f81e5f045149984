import { sql } from 'kysely'
import type { Transaction, World } from './open.ts'

const statementTimeout = '10min'

/** Runs reads in one database snapshot, with a timeout long enough for statements over whole tables. */
export function readConsistently<Result>(
  world: World,
  read: (tx: Transaction) => Promise<Result>,
): Promise<Result> {
  return world.database
    .transaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute(async tx => {
      await sql`select set_config('statement_timeout', ${statementTimeout}, true)`.execute(tx)
      return read(tx)
    })
}
