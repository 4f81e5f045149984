import { sql } from 'kysely'
import type { Transaction } from '../../database/open.ts'
import { recordEvent } from '../../journal/index.ts'

// Updates the planner's statistics. After a bulk load it would assume empty tables, and 10,000 domains
// would take minutes instead of 0.3 s.
export async function analyseFacts(tx: Transaction): Promise<void> {
  await sql`analyze domains, authorisations, blocklist_entries, licenses, license_states`.execute(tx)
}

/** Up to this number of domains every query plan is fast. */
const analysedAbove = 500

export async function analyseLargeChange(tx: Transaction, domains: number): Promise<void> {
  if (domains > analysedAbove) await analyseFacts(tx)
}

/**
 * Dates the verdict changes of this event, which licenses without a status caused: their last day has ended.
 * Records the event `lapse` for them, unless the transaction has recorded an event.
 */
export async function dateLapses(tx: Transaction): Promise<void> {
  const { numAffectedRows } = await sql`
    update verdict_changes change
       set occurred_at = coalesce((
             select max(state.expires_at + 1)::timestamp at time zone 'UTC'
               from authorisations authorisation
               join license_states state on state.license_id = authorisation.license_id
              where authorisation.domain_id = change.domain_id
                and authorisation.known_to is null
                and authorisation.counts
                and state.known_to is null
                and state.status is null
                and state.expires_at < current_date
           ), occurred_at)
     where event = current_event()`.execute(tx)
  if (!numAffectedRows) return
  const { rows } = await sql`select from dataset_events where number = current_event()`.execute(tx)
  if (rows.length === 0) await recordEvent(tx, { kind: 'lapse', at: new Date() })
}

export async function raiseDatasetVersion(tx: Transaction): Promise<void> {
  await sql`update dataset_version set version = version + 1`.execute(tx)
}
