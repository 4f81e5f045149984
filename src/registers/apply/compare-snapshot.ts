import type { Transaction } from '../../database/open.ts'
import { compareAuthorisations } from './authorisations-store.ts'
import type { DifferencesByKind } from './differences.ts'
import { compareEntries } from './entries-store.ts'
import type { IncomingSnapshot } from './incoming-snapshot.ts'
import { compareLicensees } from './licensees-store.ts'
import { compareLicenses } from './licenses-store.ts'

/** Writes only the temporary `_changes` tables. */
export async function compareSnapshot(
  tx: Transaction,
  snapshot: IncomingSnapshot,
): Promise<DifferencesByKind> {
  return {
    licensee: await compareLicensees(tx, snapshot),
    license: await compareLicenses(tx, snapshot),
    authorisation: await compareAuthorisations(tx, snapshot),
    blocklist_entry: await compareEntries(tx, snapshot),
  }
}
