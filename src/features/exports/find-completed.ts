import { Failure } from '../../core/failure.ts'
import type { Context } from '../operation.ts'
import { type ExportRow, findExport } from './export-store.ts'

type Figures = 'total_rows' | 'expected_rows' | 'credits_used' | 'bytes' | 'sha256' | 'file_name'
type Dates = 'completed_at' | 'expires_at'

/** As the constraints of the table have it. */
export type CompletedExport = ExportRow & {
  [Member in Figures | Dates]: NonNullable<ExportRow[Member]>
}

/**
 * The export of that id, if it is complete and not expired. Anything else reads 404 (§3), with a code that tells its owner
 * what it is; somebody else's is one that does not exist.
 */
export async function findCompleted({ world, caller, now }: Context, id: number): Promise<CompletedExport> {
  const found = await findExport(world.database, caller.accountId, id)
  if (found === undefined) throw new Failure('not_found', { message: `There is no export ${id}.` })
  const details = { export_id: id }
  switch (found.state) {
    case 'queued':
    case 'running':
      throw new Failure('export_pending', {
        details: { ...details, status: found.state },
        retryAfterSeconds: pollAfterSeconds(found, now),
      })
    case 'failed':
      throw new Failure('export_failed', { details })
    case 'expired':
      throw new Failure('export_expired', { details })
    case 'completed':
      if ((found.expires_at as Date) <= now) throw new Failure('export_expired', { details })
      return found as CompletedExport
  }
}

const pollAfterSecondsMax = 30

/** Most are complete within seconds; one that takes longer is asked for the more seldom. */
function pollAfterSeconds({ requested_at }: ExportRow, now: Date): number {
  const ageSeconds = (now.getTime() - requested_at.getTime()) / 1_000
  return Math.min(pollAfterSecondsMax, Math.max(1, Math.round(ageSeconds / 4)))
}
