import { sql } from 'kysely'
import type { Database } from '../database/open.ts'

/** A stream with its last applied snapshot. The members after `last_run_at` are null without one. */
export type StreamState = {
  stream: string
  last_taken_at: Date | null
  last_confirmed_at: Date | null
  last_run_at: Date | null
  snapshot_ref: string | null
  number: number | null
  taken_at: Date | null
  applied_at: Date | null
  rows: number | null
  rejected: number | null
  undecided: number | null
}

export async function readStreamStates(database: Database): Promise<StreamState[]> {
  const { rows } = await sql<StreamState>`
    select stream.stream, stream.last_taken_at, stream.last_confirmed_at, stream.last_run_at,
           snapshot.snapshot_ref, snapshot.number, snapshot.taken_at, snapshot.applied_at, snapshot.rows,
           snapshot.rejected, snapshot.undecided
      from register_streams stream
      left join register_snapshots snapshot
        on snapshot.stream = stream.stream and snapshot.number = stream.snapshot_number`.execute(database)
  return rows
}

export type OpenFacts = { licenses: number; authorisations: number; blocklist_entries: number }

export async function countOpenFacts(database: Database): Promise<({ stream: string } & OpenFacts)[]> {
  const { rows } = await sql<{ stream: string } & OpenFacts>`
    select stream,
           sum(licenses)::bigint as licenses,
           sum(authorisations)::bigint as authorisations,
           sum(blocklist_entries)::bigint as blocklist_entries
      from (
        select license.stream, count(*) as licenses, 0 as authorisations, 0 as blocklist_entries
          from license_states state
          join licenses license on license.id = state.license_id
         where state.known_to is null
         group by license.stream
        union all
        select stream, 0, count(*), 0 from authorisations where known_to is null group by stream
        union all
        select stream, 0, 0, count(*) from blocklist_entries where known_to is null and listed group by stream
      ) counted
     group by stream`.execute(database)
  return rows
}
