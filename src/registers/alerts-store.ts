import { sql } from 'kysely'
import type { Database } from '../database/open.ts'

export type WatchedState = {
  stream: string
  last_confirmed_at: Date | null
  cadence_hours: number | null
  quarantined_since: Date | null
  hold_reasons: string[]
  /** The number of consecutive fetches without a usable result. */
  failures: number
  probe_reasons: string[]
  layout_changes: string[]
}

/** Reads the states of all streams that were read, watched or probed. */
export async function readWatchedStates(database: Database): Promise<WatchedState[]> {
  const { rows } = await sql<WatchedState>`
    select coalesce(source.stream, probe.stream) as stream, source.last_confirmed_at, source.cadence_hours,
           quarantined.received_at as quarantined_since,
           coalesce(quarantined.hold_reasons, '{}') as hold_reasons,
           coalesce(source.watch_failures, 0) as failures,
           coalesce(probe.reasons, '{}') as probe_reasons,
           coalesce(probe.changes, '{}') as layout_changes
      from register_streams source
      full join register_probes probe on probe.stream = source.stream
      left join register_snapshots quarantined on quarantined.id = source.quarantined_snapshot_id
     order by coalesce(source.stream, probe.stream) collate "C"`.execute(database)
  return rows
}
