import type { Transaction } from '../../database/open.ts'
import type { RecordKind } from '../read/record-schemas.ts'

/** `shown` are the first of the `count` rejected lines. */
export type RejectLines = (
  kind: RecordKind,
  count: number,
  shown: { position: number; reason: string }[],
) => void

export type UpsertContext = {
  tx: Transaction
  now: Date
  reject: RejectLines
}

/** All other lines were unchanged. `suppressed`: skipped contacts. */
export type UpsertResult = { added: number; changed: number; suppressed?: number }
