import { sql } from 'kysely'
import type { Database } from '../database/open.ts'

/** A snapshot that waits for an approval, and why. */
export type HeldSnapshot = {
  stream: string
  snapshot_ref: string
  taken_at: Date
  since: Date
  reasons: string[]
}

export async function readHeldSnapshots(database: Database): Promise<HeldSnapshot[]> {
  const { rows } = await sql<HeldSnapshot>`
    select stream.stream, held.snapshot_ref, held.taken_at, held.received_at as since, held.hold_reasons as reasons
      from register_streams stream
      join register_snapshots held on held.id = stream.held_snapshot_id`.execute(database)
  return rows
}
