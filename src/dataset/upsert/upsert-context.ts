import type { Transaction } from '../../database/open.ts'
import type { RecordKind } from '../read/record-schemas.ts'

/** Counts `count` more rejected lines of a kind; `shown` are the first of them. */
export type RejectLines = (
  kind: RecordKind,
  count: number,
  shown: { position: number; reason: string }[],
) => void

export type UpsertContext = {
  tx: Transaction
  /** The time used where a line leaves a date out, and from when its rows are known. */
  now: Date
  /** For lines found bad only while they are written. */
  reject: RejectLines
}

/** Counts of lines by outcome; all others were unchanged. `suppressed`: contacts skipped because they are suppressed. */
export type UpsertResult = { added: number; changed: number; suppressed?: number }
