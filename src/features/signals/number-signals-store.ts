import { sql } from 'kysely'
import type { Transaction } from '../../database/open.ts'
import type { SignalDraft } from './draft.ts'
import { SignalTally, writeTallies } from './signal-counts-store.ts'

/** The most rows of a batch. Its characters are limited, too, because one change may list 50,000 domains. */
const batchRowsMax = 1_000
const batchCharactersMax = 2 * 1024 * 1024
const talliesMax = 20_000

/**
 * Numbers drafts. Call this last in a transaction, because `signal_sequence` stays locked until the commit.
 * Numbers therefore have no gaps and follow the order of commits, and no reader misses a lower number.
 */
export async function numberSignals(
  tx: Transaction,
  drafts: Iterable<SignalDraft> | AsyncIterable<SignalDraft>,
): Promise<number> {
  let first: number | null = null
  let last = 0
  const tally = new SignalTally()
  for await (const batch of batchesOf(drafts)) {
    if (first === null) {
      last = await lockSequence(tx)
      first = last + 1
    }
    await insertSignals(tx, last, batch.rows)
    for (const draft of batch.drafts) tally.add(draft, qualifiesAsMarketEntry(draft), ++last)
    if (tally.size >= talliesMax) await writeTallies(tx, tally.flush())
  }
  if (first === null) return 0
  await writeTallies(tx, tally.flush())
  await sql`update signal_sequence set last_number = ${last}`.execute(tx)
  return last - first + 1
}

type Batch = { drafts: SignalDraft[]; rows: string[] }

async function* batchesOf(
  drafts: Iterable<SignalDraft> | AsyncIterable<SignalDraft>,
): AsyncGenerator<Batch, void> {
  let batch: Batch = { drafts: [], rows: [] }
  let characters = 0
  for await (const draft of drafts) {
    const row = JSON.stringify(rowOf(draft, batch.rows.length + 1))
    batch.drafts.push(draft)
    batch.rows.push(row)
    characters += row.length
    if (batch.rows.length < batchRowsMax && characters < batchCharactersMax) continue
    yield batch
    batch = { drafts: [], rows: [] }
    characters = 0
  }
  if (batch.rows.length > 0) yield batch
}

function rowOf(draft: SignalDraft, position: number): Record<string, unknown> {
  const common = {
    position,
    signal_ref: draft.signalRef,
    type: draft.type,
    event_type: draft.eventType,
    company_id: draft.companyId,
    headline: draft.headline,
    occurred_at: draft.occurredAt,
    detected_at: draft.detectedAt,
    content: draft.content,
  }
  if (draft.type === 'platform_new_site')
    return { ...common, is_market_entry: false, platform_id: draft.platformId, domain_id: draft.domainId }
  return {
    ...common,
    stream: draft.stream,
    market: draft.market,
    record_kind: draft.recordKind,
    record_key: draft.recordKey,
    is_market_entry: qualifiesAsMarketEntry(draft),
    license_id: draft.licenseId,
    published_legal_name: draft.publishedLegalName,
    former_legal_name: draft.formerLegalName,
    snapshot_id: draft.snapshotId,
    correction_of: draft.correctionOf ?? null,
    is_backfill: draft.isBackfill ?? false,
  }
}

/** Returns true for a market entry, which requires a Company, a license and a legal name (§4.1). */
function qualifiesAsMarketEntry(draft: SignalDraft): boolean {
  return (
    draft.type === 'register_change' &&
    draft.isMarketEntry &&
    draft.recordKind === 'license' &&
    draft.companyId !== null &&
    draft.licenseId !== null &&
    draft.publishedLegalName !== null
  )
}

/** Locks the sequence against other transactions that number Signals, and returns the last number. */
export async function lockSequence(tx: Transaction): Promise<number> {
  const { rows } = await sql<{ last_number: number }>`
    select last_number from signal_sequence for update`.execute(tx)
  if (rows[0] === undefined) throw new Error('signal_sequence has no row')
  return rows[0].last_number
}

async function insertSignals(tx: Transaction, last: number, rows: readonly string[]): Promise<void> {
  await sql`
    insert into signals (number, signal_ref, type, stream, market, event_type, record_kind, record_key,
                         is_market_entry, platform_id, domain_id, company_id, license_id,
                         published_legal_name, former_legal_name, headline, occurred_at, detected_at,
                         snapshot_id, content, correction_of, is_backfill)
    select ${last}::bigint + position, signal_ref, type, stream, market, event_type, record_kind, record_key,
           is_market_entry, platform_id, domain_id, company_id, license_id, published_legal_name,
           former_legal_name, headline, occurred_at, detected_at, snapshot_id, content, correction_of,
           coalesce(is_backfill, false)
      from json_to_recordset(${`[${rows.join(',')}]`}::json) as draft (
             position bigint, signal_ref text, type text, stream text, market text, event_type text,
             record_kind text, record_key text, is_market_entry boolean, platform_id bigint, domain_id bigint,
             company_id bigint, license_id bigint, published_legal_name text,
             former_legal_name text, headline text,
             occurred_at timestamptz, detected_at timestamptz, snapshot_id bigint, content jsonb,
             correction_of text, is_backfill boolean
           )
     order by position`.execute(tx)
}
