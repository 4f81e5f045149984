import { sql } from 'kysely'
import type { Database } from '../../database/open.ts'

export type SyncRun = {
  stream: string
  startedAt: Date
  finishedAt: Date
  status: 'applied' | 'unchanged' | 'held' | 'refused' | 'discarded'
  snapshotId: number | null
  reasons: readonly string[]
}

export async function writeRun(database: Database, run: SyncRun): Promise<void> {
  await sql`
    with run as (
      insert into register_runs (stream, started_at, finished_at, status, snapshot_id, reasons)
      values (${run.stream}, ${run.startedAt}, ${run.finishedAt}, ${run.status}, ${run.snapshotId},
              ${[...run.reasons]})
    )
    update register_streams
       set last_run_at = ${run.startedAt}
     where stream = ${run.stream}`.execute(database)
}
