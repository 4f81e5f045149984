import type { Transaction } from '../../database/open.ts'
import { deriveVerdicts } from '../domains/index.ts'
import { rebuildLogoSubjects } from '../logos/index.ts'
import { rebuildSearchRows } from '../search/index.ts'
import { analyseFacts, raiseDatasetVersion } from './facts-store.ts'

type FactChange = {
  /** Domains whose facts or Company changed. A stream yields chunks in id order and runs ANALYZE itself. */
  domainIds?: readonly number[] | AsyncIterable<readonly number[]>
}

/** Below this number of domains any query plan is fast. */
const analysedAbove = 500

/**
 * Every writer of facts calls this once, in its transaction, after its last fact; only events and Signals
 * are written later.
 * 1. Locks `domainIds` in id order and derives their verdicts, listings and counts.
 * 2. Rebuilds the search rows and logo subjects that triggers marked.
 * 3. Raises the dataset version last: it is one row that all writers lock.
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
