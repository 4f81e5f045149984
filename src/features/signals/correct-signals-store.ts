import { sql } from 'kysely'
import type { Transaction } from '../../database/open.ts'
import type { RecordKind } from './draft.ts'

const keysAtOnceMax = 5_000

/**
 * Marks what was told of these records as corrected: a mended reader has read them otherwise. Numbers, content and counts
 * stay; a Signal is never told a second time. Tells how many were marked.
 */
export async function correctSignals(
  tx: Transaction,
  stream: string,
  recordKind: RecordKind,
  recordKeys: readonly string[],
  at: Date,
): Promise<number> {
  let corrected = 0
  for (let start = 0; start < recordKeys.length; start += keysAtOnceMax) {
    const keys = recordKeys.slice(start, start + keysAtOnceMax)
    const { numAffectedRows } = await sql`
      update signals
         set last_corrected_at = ${at}
       where stream = ${stream} and record_kind = ${recordKind} and record_key = any (${keys}::text[])`.execute(
      tx,
    )
    corrected += Number(numAffectedRows ?? 0)
  }
  return corrected
}
