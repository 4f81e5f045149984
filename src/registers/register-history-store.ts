import type { RejectShown } from '@baize/registers/guard'
import { sql } from 'kysely'
import type { Database } from '../database/open.ts'

/** One run of a stream. The fields after `reasons` are null unless the run had a snapshot. */
export type RegisterRun = {
  started_at: Date
  finished_at: Date
  status: string
  reasons: string[]
  snapshot_ref: string | null
  number: number | null
  taken_at: Date | null
  parser_version: number | null
  rows: number | null
  rejected: number | null
  rejected_by_reason: Record<string, number> | null
  rejects: RejectShown[] | null
  undecided: number | null
  /** Null for a confirmation. */
  added: number | null
  removed: number | null
  changed: number | null
  signals: number | null
  is_correction: boolean | null
  approved_because: string | null
  discarded_because: string | null
}

export async function readRuns(database: Database, stream: string, runsMax: number): Promise<RegisterRun[]> {
  const { rows } = await sql<RegisterRun>`
    select run.started_at, run.finished_at, run.status, run.reasons,
           snapshot.snapshot_ref, snapshot.number, snapshot.taken_at, snapshot.parser_version, snapshot.rows,
           snapshot.rejected, snapshot.rejected_by_reason, snapshot.rejects, snapshot.undecided,
           case when run.status = 'applied' then snapshot.added end as added,
           case when run.status = 'applied' then snapshot.removed end as removed,
           case when run.status = 'applied' then snapshot.changed end as changed,
           case when run.status = 'applied' then snapshot.signals end as signals,
           snapshot.is_correction, snapshot.approved_because,
           snapshot.discarded_because
      from register_runs run
      left join register_snapshots snapshot on snapshot.id = run.snapshot_id
     where run.stream = ${stream}
     order by run.id desc
     limit ${runsMax}`.execute(database)
  return rows
}
