import { sql } from 'kysely'
import type { Transaction } from '../../database/open.ts'
import type { RecordKind } from './draft.ts'

type Correction = {
  stream: string
  recordKind: RecordKind
  recordKeys: readonly string[]
  correctedAt: Date
}

const keysAtOnceMax = 5_000

/** Marks Signals whose records a fixed parser reads differently, and returns their number. */
export async function correctSignals(
  tx: Transaction,
  { stream, recordKind, recordKeys, correctedAt }: Correction,
): Promise<number> {
  let corrected = 0
  for (let start = 0; start < recordKeys.length; start += keysAtOnceMax) {
    const keys = recordKeys.slice(start, start + keysAtOnceMax)
    const { numAffectedRows } = await sql`
      update signals
         set last_corrected_at = ${correctedAt}
       where stream = ${stream}
         and record_kind = ${recordKind}
         and record_key = any (${keys}::text[])`.execute(tx)
    corrected += Number(numAffectedRows ?? 0)
  }
  return corrected
}
