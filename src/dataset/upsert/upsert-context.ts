import type { Transaction } from '../../database/open.ts'
import type { RecordKind } from '../read/record-schemas.ts'
import type { StagedTables } from '../read/staged-row.ts'

/** `shown` are the first of the `count` rejected lines. */
type RejectLines = (kind: RecordKind, count: number, shown: { position: number; reason: string }[]) => void

export type UpsertContext = {
  tx: Transaction
  now: Date
  /** Kinds without a line have no table, so that their statements are omitted. */
  staged: StagedTables
  /** Whether these are so many lines that an empty world loads them without its indexes. */
  isLarge: boolean
  /** Whether the world had no domains, so that no row of them can differ from a line. */
  isFirst?: boolean
  reject: RejectLines
}

/** Lines that are in no count were unchanged. `suppressed` counts skipped contacts. */
export type UpsertResult = { added: number; changed: number; suppressed?: number }
