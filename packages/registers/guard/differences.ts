import type { RecordKind } from '../stream.ts'

export type Differences = {
  added: number
  removed: number
  changed: number
  /** The number of changed records that only got values in empty fields. */
  filled: number
  /** The number of rows to rewrite without reporting a change, such as UKGC's version counter. */
  restated: number
}

export type DifferencesByKind = Record<RecordKind, Differences>

export const noDifferences: Differences = { added: 0, removed: 0, changed: 0, filled: 0, restated: 0 }

/** Returns whether there are rows to write. Otherwise statements on the kind can be omitted. */
export function hasRows({ added, removed, changed, restated }: Differences): boolean {
  return added + removed + changed + restated > 0
}

/** Sums licenses, authorised domains and entries. Licensees are reported with these. */
export function reportedDifferences(byKind: DifferencesByKind): Omit<Differences, 'filled' | 'restated'> {
  const { added, removed, changed } = sumOf([byKind.license, byKind.authorisation, byKind.blocklist_entry])
  return { added, removed, changed }
}

function sumOf(differences: readonly Differences[]): Differences {
  const sum = { ...noDifferences }
  for (const { added, removed, changed, filled, restated } of differences) {
    sum.added += added
    sum.removed += removed
    sum.changed += changed
    sum.filled += filled
    sum.restated += restated
  }
  return sum
}
