/** Derives from the removals of earlier snapshots how many records the next one may remove. */
import type { RecordKind } from '../stream.ts'

/** The bounds are shares of the records in force, with floors in records. */
const bounds = {
  shareMin: 0.01,
  shareMax: 0.3,
  timesLargest: 4,
  blocklistShare: 0.02,
  licensesShare: 0.1,
  smallRemovals: 10,
  smallShare: 1 / 3,
  fewRemovals: 2,
} as const

export type Removal = { removed: number; of: number }

/**
 * The removals of a stream's applied snapshots. `snapshots` are those that were compared with one before, and
 * `largest` has the largest share that one of them removed, by kind.
 */
export type RemovalHistory = { snapshots: number; largest: Partial<Record<RecordKind, Removal>> }

export const noHistory: RemovalHistory = { snapshots: 0, largest: {} }

export type RemovalBound = {
  records: number
  share: number
  /** The removals that are not a reason. */
  bound: number
  /** Null if no earlier snapshot removed any. */
  largest: Removal | null
  snapshots: number
}

export function removalBound(kind: RecordKind, records: number, history: RemovalHistory): RemovalBound {
  const { snapshots } = history
  const largest = history.largest[kind] ?? null
  const share = snapshots === 0 ? shareWithoutHistory(kind) : learntShare(largest)
  return { records, share, bound: removalsAllowed(records, share), largest, snapshots }
}

const shareWithoutHistory = (kind: RecordKind) =>
  kind === 'blocklist_entry' ? bounds.blocklistShare : bounds.licensesShare

const learntShare = (largest: Removal | null) =>
  Math.min(
    bounds.shareMax,
    Math.max(bounds.shareMin, largest === null ? 0 : (largest.removed / largest.of) * bounds.timesLargest),
  )

/** A share times a number of records can be a little less than a whole number. */
const rounding = 1e-9

/**
 * Returns how many removals are accepted: the share of the list, or 10 if that is more. A list below 30
 * records uses a third of its records instead of 10, but at least 2.
 */
export function removalsAllowed(records: number, shareMax: number): number {
  const few = Math.max(bounds.fewRemovals, records * bounds.smallShare)
  return Math.floor(Math.max(records * shareMax, Math.min(bounds.smallRemovals, few)) + rounding)
}

/** Explains a bound with its figures. */
export function explainBound(found: RemovalBound): string {
  const { bound, share } = found
  const percent = Math.round(share * 10_000) / 100
  return `the bound is ${bound} (${percent} %, ${originOf(found)}; of a short list 10, at most a third)`
}

function originOf({ share, largest, snapshots }: RemovalBound): string {
  if (snapshots === 0) return 'without an earlier change to compare with'
  const earlier = snapshots === 1 ? '1 earlier change' : `${snapshots} earlier changes`
  if (largest === null) return `as ${earlier} removed none`
  const { removed, of } = largest
  if (share === bounds.shareMax) return `the most, as one of ${earlier} removed ${removed} of ${of}`
  return share > bounds.shareMin
    ? `four times the ${removed} of ${of} that one of ${earlier} removed`
    : `as ${earlier} removed at most ${removed} of ${of}`
}
