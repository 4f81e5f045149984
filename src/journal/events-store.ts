import { sql } from 'kysely'
import type { Database, Transaction } from '../database/open.ts'

/** What changes the facts, as it is recorded: enough to do it again in an empty schema. */
export type DatasetEvent = {
  kind: 'snapshot' | 'confirmation' | 'import' | 'review' | 'merge' | 'split'
  /** The `now` of the change, from when its rows are known. */
  at: Date
  snapshotId?: number
  detail?: Record<string, unknown>
}

/**
 * Held until the transaction ends by everyone who writes facts: syncs, imports, reviews, merges. So what they write has
 * one order, the counts they share are never met in two, and the order can be replayed. A schema has a lock of its own.
 */
export async function lockFacts(tx: Transaction): Promise<void> {
  await sql`
    select pg_advisory_xact_lock(hashtextextended('baize ' || current_schema() || ' facts', 0))`.execute(tx)
}

/** Numbers the event. The caller holds `lockFacts`. */
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

/** Every event, in order. */
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
