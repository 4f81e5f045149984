import { sql } from 'kysely'
import type { Database, Transaction } from '../database/open.ts'

/** The stream that owns facts from imported files, as a register's stream owns the register's facts. */
export const importStream = 'import'

/** The stream that owns the authorisations that follow from brands that staff reviewed. */
export const reviewedBrandStream = 'reviewed_brand'

/** A recorded change of facts, complete enough to replay it in an empty schema. */
export type DatasetEvent = {
  kind:
    | 'snapshot'
    | 'confirmation'
    | 'import'
    | 'review'
    | 'merge'
    | 'split'
    | 'distinct'
    | 'discard'
    | 'check'
    | 'brand'
    | 'person'
    | 'scopes'
    | 'lapse'
  /** The time of the change, which is `known_from` of its rows. */
  at: Date
  snapshotId?: number
  detail?: Record<string, unknown>
}

/**
 * Serialises all writers of facts (syncs, imports, reviews, merges) until the transaction ends. Changes so
 * have one order, which can be replayed. Each schema has its own lock. Rows that are written from now on
 * have the number of the next event, so that a writer of facts must record one.
 */
export async function lockFacts(tx: Transaction): Promise<void> {
  await sql`
    select pg_advisory_xact_lock(hashtextextended('baize ' || current_schema() || ' facts', 0))`.execute(tx)
  // A statement of its own sees the event of the transaction that had the lock before.
  await sql`
    select set_config('baize.event', (coalesce(max(number), 0) + 1)::text, true)
      from dataset_events`.execute(tx)
}

/** Lets this transaction overwrite facts without a trace, because the law forbids to keep what they were. */
export async function keepNoVersions(tx: Transaction): Promise<void> {
  await sql`select set_config('baize.event', '', true)`.execute(tx)
}

/** Numbers and stores the event. The caller must have the lock of `lockFacts`. */
export async function recordEvent(tx: Transaction, event: DatasetEvent): Promise<void> {
  await sql`
    insert into dataset_events (number, kind, at, snapshot_id, detail)
    select coalesce(max(number), 0) + 1, ${event.kind}, ${event.at}, ${event.snapshotId ?? null},
           ${JSON.stringify(event.detail ?? {})}
      from dataset_events`.execute(tx)
}

export type RecordedEvent = Required<Omit<DatasetEvent, 'snapshotId'>> & {
  number: number
  snapshotId: number | null
}

const eventsAtOnceMax = 500

export async function* readEvents(database: Database): AsyncGenerator<RecordedEvent, void> {
  let after = 0
  for (;;) {
    const { rows } = await sql<RecordedEvent>`
      select number, kind, at, snapshot_id as "snapshotId", detail
        from dataset_events
       where number > ${after}
       order by number
       limit ${eventsAtOnceMax}`.execute(database)
    yield* rows
    const last = rows.at(-1)
    if (last === undefined || rows.length < eventsAtOnceMax) return
    after = last.number
  }
}
