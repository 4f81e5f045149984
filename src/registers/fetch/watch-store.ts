import { sql } from 'kysely'
import type { Database, Transaction } from '../../database/open.ts'
import type { Stream } from '../stream.ts'

/** A stream that an operator has asked to be fetched by itself. */
export type Watch = {
  stream: string
  urls: string[]
  everyMinutes: number
  watchedAt: Date | null
  failures: number
}

/** What a source said of a file, to be asked with again; null: nothing. */
export type Validators = { etag: string | null; lastModified: string | null }

/** Columns hold one value a line: addresses and headers have no line breaks. */
const separator = '\n'

export async function writeWatch(
  database: Database,
  stream: Stream,
  urls: readonly string[],
  everyMinutes: number,
): Promise<void> {
  // The same addresses keep what is known of them; others are asked at once, as if nothing had been.
  await sql`
    insert into register_streams as stream (stream, market, covers, watch_url, watch_every_minutes)
    values (${stream.key}, ${stream.market}, ${[...stream.covers]}, ${urls.join(separator)}, ${everyMinutes})
    on conflict (stream) do update
       set watch_url = excluded.watch_url,
           watch_every_minutes = excluded.watch_every_minutes,
           watch_etag = case when stream.watch_url = excluded.watch_url then stream.watch_etag end,
           watch_last_modified =
             case when stream.watch_url = excluded.watch_url then stream.watch_last_modified end,
           watch_snapshot_id = case when stream.watch_url = excluded.watch_url then stream.watch_snapshot_id end,
           watched_at = case when stream.watch_url = excluded.watch_url then stream.watched_at end,
           watch_failures = case when stream.watch_url = excluded.watch_url then stream.watch_failures else 0 end`.execute(
    database,
  )
}

/** Whether it was watched. */
export async function clearWatch(database: Database, stream: string): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update register_streams
       set watch_url = null,
           watch_every_minutes = null,
           watch_etag = null,
           watch_last_modified = null,
           watch_snapshot_id = null,
           watched_at = null,
           watch_failures = 0
     where stream = ${stream} and watch_url is not null`.execute(database)
  return numAffectedRows === 1n
}

const watchColumns = sql`
  stream.stream, string_to_array(stream.watch_url, ${separator}) as urls,
  stream.watch_every_minutes as "everyMinutes", stream.watched_at as "watchedAt", stream.watch_failures as failures`

export async function readWatches(database: Database): Promise<Watch[]> {
  const { rows } = await sql<Watch>`
    select ${watchColumns}
      from register_streams stream
     where stream.watch_url is not null
     order by stream.stream`.execute(database)
  return rows
}

/** The streams that are to be asked now, those that have waited longest first. */
export async function readDueWatches(database: Database, now: Date): Promise<Watch[]> {
  const { rows } = await sql<Watch>`
    select ${watchColumns}
      from register_streams stream
     where stream.watch_url is not null
       and (stream.watched_at is null
            or stream.watched_at <= ${now}::timestamptz - stream.watch_every_minutes * interval '1 minute')
     order by stream.watched_at nulls first, stream.stream`.execute(database)
  return rows
}

/** A watch with what its files said of themselves, while that still speaks of what is held. */
export type WatchedFiles = Watch & { snapshotId: number | null; validators: Validators[] }

/**
 * The validators of a snapshot that was overtaken, still waits for an approval, or was read by another parser, are not
 * answered: "not modified" would confirm something else than what is held.
 */
export async function readWatch(database: Database, stream: Stream): Promise<WatchedFiles | undefined> {
  const { rows } = await sql<Watch & { snapshotId: number | null; etags: string[]; lastModified: string[] }>`
    select ${watchColumns}, snapshot.id as "snapshotId",
           coalesce(string_to_array(stream.watch_etag, ${separator}), '{}') as etags,
           coalesce(string_to_array(stream.watch_last_modified, ${separator}), '{}') as "lastModified"
      from register_streams stream
      left join register_snapshots snapshot
        on snapshot.id = stream.watch_snapshot_id
       and snapshot.number = stream.snapshot_number
       and snapshot.parser_version = ${stream.parserVersion}
     where stream.stream = ${stream.key} and stream.watch_url is not null`.execute(database)
  const [row] = rows
  if (row === undefined) return undefined
  const { etags, lastModified, ...watch } = row
  const validators = watch.urls.map((_url, index) =>
    watch.snapshotId === null
      ? { etag: null, lastModified: null }
      : { etag: etags[index] || null, lastModified: lastModified[index] || null },
  )
  return { ...watch, validators }
}

/** The files were fetched, and became the snapshot of this ref, or were it already. */
export async function noteFetched(
  database: Database | Transaction,
  stream: string,
  fetched: { at: Date; snapshotRef: string | null; contentSha256: Buffer; validators: readonly Validators[] },
): Promise<void> {
  const { at, snapshotRef, contentSha256, validators } = fetched
  await sql`
    update register_streams
       set watched_at = ${at},
           watch_failures = 0,
           watch_etag = ${validators.map(each => each.etag ?? '').join(separator)},
           watch_last_modified = ${validators.map(each => each.lastModified ?? '').join(separator)},
           watch_snapshot_id = (
             select id from register_snapshots
              where snapshot_ref = ${snapshotRef} and content_sha256 = ${contentSha256}
           )
     where stream = ${stream} and watch_url is not null`.execute(database)
}

/** The source said that nothing has changed. */
export async function noteNotModified(tx: Transaction, stream: string, at: Date): Promise<void> {
  await sql`
    update register_streams
       set watched_at = ${at},
           watch_failures = 0
     where stream = ${stream} and watch_url is not null`.execute(tx)
}

/** Nothing came that could be used. */
export async function noteFailure(database: Database, stream: string, at: Date): Promise<void> {
  await sql`
    update register_streams
       set watched_at = ${at},
           watch_failures = watch_failures + 1
     where stream = ${stream} and watch_url is not null`.execute(database)
}
