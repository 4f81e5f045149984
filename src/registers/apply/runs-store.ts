import { sql } from 'kysely'
import type { Database, Transaction } from '../../database/open.ts'
import { supersedeQuarantined } from '../snapshot/quarantine-store.ts'
import type { Stream } from '../stream.ts'

/** What a stream says of itself, for feeds, which know streams from the database alone: brought up to date at each run. */
export async function writeStreamDetails(tx: Transaction, stream: Stream): Promise<void> {
  await sql`
    update register_streams
       set regulator = ${stream.regulator},
           regulator_country_code = ${stream.regulatorCountryCode},
           official_url = ${stream.officialUrl},
           source_claim = ${stream.sourceClaim},
           qualification = ${stream.qualification},
           source_identity = ${stream.sourceIdentity},
           cadence_hours = ${stream.cadence.hours}
     where stream = ${stream.key}`.execute(tx)
}

/** The source said again what the open rows say: they take their last confirmation from here. */
export async function confirmStream(tx: Transaction, stream: string, takenAt: Date): Promise<void> {
  await supersedeQuarantined(tx, stream, takenAt)
  await sql`
    update register_streams
       set last_taken_at = ${takenAt},
           last_confirmed_at = ${takenAt}
     where stream = ${stream}`.execute(tx)
}

export type Run = {
  stream: string
  startedAt: Date
  finishedAt: Date
  status: 'applied' | 'unchanged' | 'held' | 'refused'
  snapshotId: number | null
  reasons: readonly string[]
}

export async function writeRun(database: Database, run: Run): Promise<void> {
  await sql`
    with run as (
      insert into register_runs (stream, started_at, finished_at, status, snapshot_id, reasons)
      values (${run.stream}, ${run.startedAt}, ${run.finishedAt}, ${run.status}, ${run.snapshotId}, ${[...run.reasons]})
    )
    update register_streams
       set last_run_at = ${run.startedAt}
     where stream = ${run.stream}`.execute(database)
}
