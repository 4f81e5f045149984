import type { RecordKind } from '@baize/registers'
import { type Differences, type DifferencesByKind, noDifferences } from '@baize/registers/guard'
import type { Transaction } from '../../database/open.ts'
import type { IncomingSnapshot } from '../apply/incoming-snapshot.ts'
import { compareAuthorisations } from './authorisations-store.ts'
import { readPresentKinds } from './differences-store.ts'
import { compareEntries } from './entries-store.ts'
import { compareLicensees } from './licensees-store.ts'
import { compareLicenses } from './licenses-store.ts'

/**
 * Compares a snapshot with the facts in force. Writes only temporary `_changes` tables,
 * one for each kind of record in the snapshot or in the facts in force.
 */
export async function compareSnapshot(
  tx: Transaction,
  snapshot: IncomingSnapshot,
): Promise<DifferencesByKind> {
  const present = await readPresentKinds(tx, snapshot.stream.key)
  const differencesOf = async (kind: RecordKind, compare: Compare) =>
    present.has(kind) ? compare(tx, snapshot) : noDifferences
  return {
    licensee: await differencesOf('licensee', compareLicensees),
    license: await differencesOf('license', compareLicenses),
    authorisation: await differencesOf('authorisation', compareAuthorisations),
    blocklist_entry: await differencesOf('blocklist_entry', compareEntries),
  }
}

type Compare = (tx: Transaction, snapshot: IncomingSnapshot) => Promise<Differences>
