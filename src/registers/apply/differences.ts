import type { RecordKind } from '../stream.ts'

export type Differences = {
  added: number
  removed: number
  changed: number
  /** Of the changed ones: those that only got values in fields that were empty. */
  filled: number
  /** Rows to rewrite without reporting a change (UKGC's version counter, what one form alone publishes). */
  restated: number
}

export type DifferencesByKind = Record<RecordKind, Differences>

/** Licenses, authorised domains and entries; licensees are reported with these. */
export function reportedDifferences(byKind: DifferencesByKind): Omit<Differences, 'filled' | 'restated'> {
  const { added, removed, changed } = sumOf([byKind.license, byKind.authorisation, byKind.blocklist_entry])
  return { added, removed, changed }
}

export function sumOf(differences: readonly Differences[]): Differences {
  const sum = { added: 0, removed: 0, changed: 0, filled: 0, restated: 0 }
  for (const { added, removed, changed, filled, restated } of differences) {
    sum.added += added
    sum.removed += removed
    sum.changed += changed
    sum.filled += filled
    sum.restated += restated
  }
  return sum
}
