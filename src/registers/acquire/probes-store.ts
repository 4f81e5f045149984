import { sql } from 'kysely'
import type { Database, RowOf } from '../../database/open.ts'

export type ProbeToStore = {
  at: Date
  /** The problems that were found; empty if the probe found no problem. */
  reasons: readonly string[]
  changes: readonly string[]
  foundUrl: string | null
  mediaType: string | null
  /** The number of rows; null when the file was not read. */
  rows: number | null
  /** The newest date as `YYYY-MM-DD`. With null, the earlier date stays. */
  newestDate: string | null
  /** Whether the worker repeats the probe each night; by default as before. */
  isNightly?: boolean
}

export async function writeProbe(database: Database, stream: string, probe: ProbeToStore): Promise<void> {
  const { at, reasons, changes, foundUrl, mediaType, rows, newestDate, isNightly = false } = probe
  await sql`
    insert into register_probes as probe (stream, probed_at, is_well, reasons, changes, found_url, media_type,
                                          rows, newest_date, is_nightly)
    values (${stream}, ${at}, ${reasons.length === 0}, ${[...reasons]}, ${[...changes]}, ${foundUrl},
            ${mediaType}, ${rows}, ${newestDate}, ${isNightly})
    on conflict (stream) do update
       set probed_at = excluded.probed_at,
           is_well = excluded.is_well,
           reasons = excluded.reasons,
           changes = excluded.changes,
           found_url = coalesce(excluded.found_url, probe.found_url),
           media_type = coalesce(excluded.media_type, probe.media_type),
           rows = coalesce(excluded.rows, probe.rows),
           newest_date = coalesce(excluded.newest_date, probe.newest_date),
           is_nightly = probe.is_nightly or excluded.is_nightly`.execute(database)
}

export type StoredProbe = RowOf<'register_probes'>

const columns = sql`
  stream, probed_at, is_well, reasons, changes, found_url, media_type, rows, newest_date::text as newest_date,
  is_nightly`

export async function readProbes(database: Database): Promise<StoredProbe[]> {
  const { rows } = await sql<StoredProbe>`select ${columns} from register_probes order by stream`.execute(
    database,
  )
  return rows
}

export async function readProbe(database: Database, stream: string): Promise<StoredProbe | undefined> {
  const { rows } = await sql<StoredProbe>`
    select ${columns} from register_probes where stream = ${stream}`.execute(database)
  return rows[0]
}

export async function stopNightlyProbes(database: Database, stream: string): Promise<void> {
  await sql`update register_probes set is_nightly = false where stream = ${stream}`.execute(database)
}
