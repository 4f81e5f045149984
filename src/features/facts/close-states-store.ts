import { type RawBuilder, sql } from 'kysely'
import type { Transaction } from '../../database/open.ts'

/** The tables of states. A state is never overwritten: a change closes the one in force and opens another. */
export type StateTable = 'licensee_states' | 'license_states' | 'authorisations' | 'blocklist_entries'

/** A temporary table whose rows name a state in force in `stored_id`. */
export type ChangedStates = { table: string; where?: RawBuilder<unknown> }

/** Closes changed states. `seenAt` becomes the last-seen time of states without such a time. */
export async function closeStates(
  tx: Transaction,
  states: StateTable,
  { changed, now, seenAt }: { changed: ChangedStates; now: Date; seenAt: RawBuilder<unknown> },
): Promise<void> {
  await sql`
    update ${sql.table(states)} state
       set known_to = ${now},
           last_seen_at = coalesce(state.last_seen_at, ${seenAt})
      from ${sql.table(changed.table)} change
     where state.id = change.stored_id and ${changed.where ?? sql`true`}`.execute(tx)
}

/** Updates the last-seen time of unchanged states, the only column of a state that is overwritten. */
export async function extendStates(
  tx: Transaction,
  states: StateTable,
  { table, where = sql`true` }: ChangedStates,
): Promise<void> {
  await sql`
    update ${sql.table(states)} state
       set last_seen_at = change.last_seen_at
      from ${sql.table(table)} change
     where state.id = change.stored_id and ${where}`.execute(tx)
}
