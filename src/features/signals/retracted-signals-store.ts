import { sql } from 'kysely'
import type { Transaction } from '../../database/open.ts'
import type { ChangeSet, RegisterChangeDraft } from './draft.ts'

export type RetractedSignal = Omit<
  RegisterChangeDraft,
  'type' | 'formerLegalName' | 'detectedAt' | 'correctionOf'
> & {
  /** What the snapshot changed of the record, this Signal included. */
  changeSets: ChangeSet[]
}

const signalsAtOnceMax = 1_000

/** The Signals of a snapshot, the last first. */
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
