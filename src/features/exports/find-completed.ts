import { Failure } from '../../core/failure.ts'
import type { Context } from '../operation.ts'
import { type ExportRow, findExport } from './export-store.ts'

type Figures = 'total_rows' | 'expected_rows' | 'credits_used' | 'bytes' | 'sha256' | 'file_name'
type Dates = 'completed_at' | 'expires_at'

type CompletedExport = ExportRow & {
  [Member in Figures | Dates]: NonNullable<ExportRow[Member]>
}

/** Unless the export is completed, fails with a 404 (§3) whose code names the state. */
export async function findCompleted({ world, caller, now }: Context, id: number): Promise<CompletedExport> {
  const row = await findExport(world.database, caller.accountId, id)
  if (row === undefined) throw new Failure('not_found', { message: `There is no export ${id}.` })
  const details = { export_id: id }
  switch (row.state) {
    case 'queued':
    case 'running':
      throw new Failure('export_pending', {
        details: { ...details, status: row.state },
        retryAfterSeconds: pollAfterSeconds(row, now),
      })
    case 'failed':
      throw new Failure('export_failed', { details })
    case 'expired':
      throw new Failure('export_expired', { details })
    case 'completed':
      if ((row.expires_at as Date) <= now) throw new Failure('export_expired', { details })
      return row as CompletedExport
  }
}

const pollAfterSecondsMax = 30

/** Most exports take seconds. The interval grows with the time since the request. */
function pollAfterSeconds({ requested_at }: ExportRow, now: Date): number {
  const ageSeconds = (now.getTime() - requested_at.getTime()) / 1_000
  return Math.min(pollAfterSecondsMax, Math.max(1, Math.round(ageSeconds / 4)))
}
