import type { Transaction } from '../../database/open.ts'
import { deriveVerdicts, type VerdictCause } from '../domains/index.ts'
import { rebuildLogoSubjects } from '../logos/index.ts'
import { rebuildSearchRows } from '../search/index.ts'
import { analyseLargeChange, dateLapses, raiseDatasetVersion } from './facts-store.ts'

type FactChange = {
  /**
   * The domains whose facts or Company changed. A stream yields chunks in id order and runs ANALYZE itself.
   */
  domainIds?: readonly number[] | AsyncIterable<readonly number[]>
  /** Is stored with the verdicts that change. Without it a license ended today. */
  cause?: VerdictCause
}

const dayEnds = (now = new Date()): VerdictCause => ({ cause: 'register', occurredAt: now, now })

/**
 * Ends a change of facts. Every writer calls it once in its transaction, after its last fact. Only events
 * and Signals are written later. It has three steps.
 * - It locks `domainIds` in id order, derives their verdicts, listings and counts, and numbers the changes.
 * - It rebuilds the search rows and logo subjects that triggers marked.
 * - It raises the dataset version last, because all writers lock that one row.
 */
export async function endFactChange(
  tx: Transaction,
  { domainIds = [], cause }: FactChange = {},
): Promise<void> {
  const known = cause ?? dayEnds()
  if (isStream(domainIds)) for await (const chunk of domainIds) await deriveVerdicts(tx, chunk, known)
  else {
    await analyseLargeChange(tx, domainIds.length)
    await deriveVerdicts(tx, domainIds, known)
    if (cause === undefined && domainIds.length > 0) await dateLapses(tx)
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
