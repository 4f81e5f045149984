import type { RecordKind } from '@baize/registers'
import type { ChangeSet } from '@baize/registers/changes'
import { sql } from 'kysely'
import type { Transaction } from '../../database/open.ts'
import type { RegisterChangeDraft } from './draft.ts'

export type RetractedSignal = Omit<
  RegisterChangeDraft,
  'type' | 'formerLegalName' | 'detectedAt' | 'correctionOf'
> & {
  /** All changes of the record by the snapshot, including this Signal's. */
  changeSets: ChangeSet[]
}

const signalsAtOnceMax = 1_000

/** Yields the Signals of a snapshot, the last first. */
export async function* readRetractedSignals(
  tx: Transaction,
  { stream, snapshotId }: { stream: string; snapshotId: number },
): AsyncGenerator<RetractedSignal, void> {
  await sql`
    create temp table retracted_signals on commit drop as
    select number
      from signals
     where stream = ${stream} and snapshot_id = ${snapshotId} and correction_of is null`.execute(tx)
  await sql`create index on retracted_signals (number)`.execute(tx)
  for (let before = Number.MAX_SAFE_INTEGER; ; ) {
    const { rows } = await sql<RetractedSignal & { number: number }>`
      select signal.number, signal.signal_ref as "signalRef", signal.stream, signal.market,
             signal.event_type as "eventType", signal.record_kind as "recordKind",
             signal.record_key as "recordKey", signal.is_market_entry as "isMarketEntry",
             signal.company_id as "companyId", signal.license_id as "licenseId",
             signal.published_legal_name as "publishedLegalName", signal.headline,
             signal.occurred_at as "occurredAt", signal.snapshot_id as "snapshotId", signal.content,
             (select json_agg(sibling.content -> 'change_set' order by sibling.number)
                from signals sibling
               where (sibling.stream, sibling.record_kind, sibling.record_key)
                     = (signal.stream, signal.record_kind, signal.record_key)
                 and sibling.snapshot_id = signal.snapshot_id
                 and sibling.correction_of is null) as "changeSets"
        from retracted_signals retracted
        join signals signal on signal.number = retracted.number
       where retracted.number < ${before}
       order by retracted.number desc
       limit ${signalsAtOnceMax}`.execute(tx)
    yield* rows
    const last = rows.at(-1)
    if (last === undefined || rows.length < signalsAtOnceMax) return
    before = last.number
  }
}

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
