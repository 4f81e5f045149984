import type { SnapshotVersion } from '@baize/registers/guard'
import { sql } from 'kysely'
import type { Database, Transaction } from '../../database/open.ts'
import type { StoredSnapshot } from './snapshot.ts'

const storedColumns = sql`
  snapshot.id, snapshot.snapshot_ref as "snapshotRef", snapshot.stream, snapshot.status,
  snapshot.hold_reasons as reasons, snapshot.taken_at as "takenAt", snapshot.is_correction as "isCorrection",
  snapshot.is_backfill as "isBackfill",
  snapshot.content_sha256 as "contentSha256", snapshot.parser_version as "parserVersion", snapshot.files,
  snapshot.form,
  snapshot.rows_sha256 as "rowsSha256", snapshot.figures, snapshot.rows, snapshot.rejected,
  snapshot.rejected_by_reason as "rejectedByReason", snapshot.rejects,
  snapshot.undecided, snapshot.added, snapshot.removed, snapshot.changed`

export async function readQuarantined(tx: Transaction, stream: string): Promise<StoredSnapshot | undefined> {
  const { rows } = await sql<StoredSnapshot>`
    select ${storedColumns}
      from register_streams stream
      join register_snapshots snapshot on snapshot.id = stream.quarantined_snapshot_id
     where stream.stream = ${stream}`.execute(tx)
  return rows[0]
}

/**
 * Finds a quarantined snapshot by content and parser. An older one matches only if the newest was taken
 * after `takenAt`.
 */
export async function findQuarantined(
  tx: Transaction,
  stream: string,
  { contentSha256, parserVersion, takenAt }: SnapshotVersion,
): Promise<StoredSnapshot | undefined> {
  const { rows } = await sql<StoredSnapshot>`
    select ${storedColumns}
      from register_streams stream
      join register_snapshots newest on newest.id = stream.quarantined_snapshot_id
      join register_snapshots snapshot on snapshot.stream = stream.stream and snapshot.status = 'held'
     where stream.stream = ${stream}
       and snapshot.content_sha256 = ${contentSha256}
       and snapshot.parser_version = ${parserVersion}
       and (snapshot.id = newest.id or newest.taken_at > ${takenAt})
     order by snapshot.id desc
     limit 1`.execute(tx)
  return rows[0]
}

export async function findSnapshot(database: Database, ref: string): Promise<StoredSnapshot | undefined> {
  const { rows } = await sql<StoredSnapshot>`
    select ${storedColumns} from register_snapshots snapshot where snapshot.snapshot_ref = ${ref}`.execute(
    database,
  )
  return rows[0]
}

export async function readSnapshotById(database: Database, id: number): Promise<StoredSnapshot> {
  const { rows } = await sql<StoredSnapshot>`
    select ${storedColumns} from register_snapshots snapshot where snapshot.id = ${id}`.execute(database)
  const [snapshot] = rows
  if (snapshot === undefined) throw new Error(`No snapshot has the id ${id}.`)
  return snapshot
}
