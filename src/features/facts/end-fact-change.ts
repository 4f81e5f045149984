import type { Transaction } from '../../database/open.ts'
import { deriveVerdicts } from '../domains/index.ts'
import { rebuildLogoSubjects } from '../logos/index.ts'
import { rebuildSearchRows } from '../search/index.ts'
import { analyseFacts, raiseDatasetVersion } from './facts-store.ts'

export type FactChange = {
  /**
   * Domains whose register facts, or whose Companies, changed; none when only other facts did.
   * A stream yields chunks in id order and analyses the tables it filled; each chunk's verdicts follow at once.
   */
  domainIds?: readonly number[] | AsyncIterable<readonly number[]>
}

/** Below this number of domains any query plan is fast. */
const analysedAbove = 500

/**
 * Ends a change of facts. Every writer (import, sync, merge, split, review, suppression, lapse, demo load) calls it
 * once, after its last fact and in the same transaction; only events and Signals are written later.
 * 1. Derives the verdicts of `domainIds` with their listings and counts. Locks their rows in id order, in chunks.
 * 2. Rebuilds the search rows of Companies and licenses that triggers marked as stale.
 * 3. Rebuilds the logo subjects whose names triggers marked as changed.
 * 4. Raises the dataset version, which ends every cached total. Locks its one row until commit, so it comes last.
 */
export async function endFactChange(tx: Transaction, { domainIds = [] }: FactChange = {}): Promise<void> {
  if (isStream(domainIds)) for await (const chunk of domainIds) await deriveVerdicts(tx, chunk)
  else {
    if (domainIds.length > analysedAbove) await analyseFacts(tx)
    await deriveVerdicts(tx, domainIds)
  }
  await rebuildSearchRows(tx)
  await rebuildLogoSubjects(tx)
  await raiseDatasetVersion(tx)
}

function isStream<Item>(
  items: readonly Item[] | AsyncIterable<readonly Item[]>,
): items is AsyncIterable<readonly Item[]> {
  return Symbol.asyncIterator in items
}
