import { sql } from 'kysely'
import type { Transaction } from '../../database/open.ts'

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

export async function raiseDatasetVersion(tx: Transaction): Promise<void> {
  await sql`update dataset_version set version = version + 1`.execute(tx)
}
