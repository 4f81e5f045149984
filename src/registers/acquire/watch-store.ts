import type { Validators, Watch } from '@baize/register-fetcher'
import type { Stream } from '@baize/registers'
import { sql } from 'kysely'
import type { Database, Transaction } from '../../database/open.ts'

/** Separates the values of a column, because addresses and headers contain no line breaks. */
const separator = '\n'

export async function writeWatch(
  database: Database,
  stream: Stream,
  { urls, everyMinutes, isOfficial }: Pick<Watch, 'urls' | 'everyMinutes' | 'isOfficial'>,
): Promise<void> {
  // Changed addresses clear the validators, and make the stream due at once.
  await sql`
    insert into register_streams as stream (stream, market, covers, watch_url, watch_every_minutes,
                                            watch_is_official)
    values (${stream.key}, ${stream.market}, ${[...stream.covers]}, ${urls.join(separator)}, ${everyMinutes},
            ${isOfficial})
    on conflict (stream) do update
       set watch_url = excluded.watch_url,
           watch_every_minutes = excluded.watch_every_minutes,
           watch_is_official = excluded.watch_is_official,
           watch_found_url =
             case when stream.watch_url = excluded.watch_url then stream.watch_found_url end,
           watch_etag = case when stream.watch_url = excluded.watch_url then stream.watch_etag end,
           watch_last_modified =
             case when stream.watch_url = excluded.watch_url then stream.watch_last_modified end,
           watch_snapshot_id =
             case when stream.watch_url = excluded.watch_url then stream.watch_snapshot_id end,
           watched_at = case when stream.watch_url = excluded.watch_url then stream.watched_at end,
           watch_failures =
             case when stream.watch_url = excluded.watch_url then stream.watch_failures else 0 end`.execute(
    database,
  )
}

export async function clearWatch(database: Database, stream: string): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update register_streams
       set watch_url = null,
           watch_every_minutes = null,
           watch_is_official = false,
           watch_found_url = null,
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
  stream.watch_is_official as "isOfficial",
  stream.watch_every_minutes as "everyMinutes", stream.watched_at as "watchedAt",
  stream.watch_failures as failures`

export async function readWatches(database: Database): Promise<Watch[]> {
  const { rows } = await sql<Watch>`
    select ${watchColumns}
      from register_streams stream
     where stream.watch_url is not null
     order by stream.stream`.execute(database)
  return rows
}

export type WatchedFiles = Watch & {
  snapshotId: number | null
  /** The addresses to which the validators belong. */
  foundUrls: string[]
  validators: Validators[]
}

/** Reads a watch. It omits validators if their snapshot is not the last applied one of this parser. */
export async function readWatch(database: Database, stream: Stream): Promise<WatchedFiles | undefined> {
  const { rows } = await sql<Omit<WatchedFiles, 'validators'> & { etags: string[]; lastModified: string[] }>`
    select ${watchColumns}, snapshot.id as "snapshotId",
           coalesce(string_to_array(stream.watch_found_url, ${separator}), '{}') as "foundUrls",
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
  const validators = watch.foundUrls.map((_url, index) =>
    watch.snapshotId === null
      ? { etag: null, lastModified: null }
      : { etag: etags[index] || null, lastModified: lastModified[index] || null },
  )
  return { ...watch, validators }
}

/** `snapshotRef` is the snapshot that the files became, or already were. */
export async function recordFetched(
  database: Database | Transaction,
  stream: string,
  fetched: {
    at: Date
    snapshotRef: string | null
    contentSha256: Buffer
    foundUrls: readonly string[]
    validators: readonly Validators[]
  },
): Promise<void> {
  const { at, snapshotRef, contentSha256, foundUrls, validators } = fetched
  await sql`
    update register_streams
       set watched_at = ${at},
           watch_failures = 0,
           watch_found_url = ${foundUrls.join(separator)},
           watch_etag = ${validators.map(each => each.etag ?? '').join(separator)},
           watch_last_modified = ${validators.map(each => each.lastModified ?? '').join(separator)},
           watch_snapshot_id = (
             select id from register_snapshots
              where snapshot_ref = ${snapshotRef} and content_sha256 = ${contentSha256}
           )
     where stream = ${stream} and watch_url is not null`.execute(database)
}

export async function recordNotModified(tx: Transaction, stream: string, at: Date): Promise<void> {
  await sql`
    update register_streams
       set watched_at = ${at},
           watch_failures = 0
     where stream = ${stream} and watch_url is not null`.execute(tx)
}

export async function recordWatchFailure(database: Database, stream: string, at: Date): Promise<void> {
  await sql`
    update register_streams
       set watched_at = ${at},
           watch_failures = watch_failures + 1
     where stream = ${stream} and watch_url is not null`.execute(database)
}
