import { sql } from 'kysely'
import type { Transaction } from '../../database/open.ts'

// After a bulk load the planner assumes empty tables: 10,000 domains then take minutes instead of 0.3 s.
export async function analyseFacts(tx: Transaction): Promise<void> {
  await sql`analyze domains, authorisations, blocklist_entries, licenses, license_states`.execute(tx)
}

export async function raiseDatasetVersion(tx: Transaction): Promise<void> {
  await sql`update dataset_version set version = version + 1`.execute(tx)
}
