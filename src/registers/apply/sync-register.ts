import { errorCode, isLockTimeout, isTransient } from '../../database/errors.ts'
import type { World } from '../../database/open.ts'
import { Tally } from '../snapshot/tally.ts'
import { Refusal, type SourceFile, type Stream } from '../stream.ts'
import type { SyncProgress } from './apply-snapshot.ts'
import { writeRun } from './runs-store.ts'
import { Attempt } from './sync-attempt.ts'
import { type SyncOutcome, type SyncReport, syncReport } from './sync-report.ts'

export type SyncOptions = {
  /** The moment of which the files speak: when they were fetched or published. */
  takenAt: Date
  now: Date
  onProgress?: (progress: SyncProgress) => void
  /** How long to wait for another sync to finish. */
  waitMsMax?: number
}

/**
 * Reads one snapshot of a register and makes the held facts say what it says, in one transaction: all of it, or, when it
 * is held, refused or anything fails, nothing but the record of that. Where the parser is newer than the last snapshot,
 * the last files are read anew first: what our reader corrects is not what the register changed.
 */
export async function syncRegister(
  world: World,
  stream: Stream,
  files: readonly SourceFile[],
  options: SyncOptions,
): Promise<SyncReport> {
  const start = performance.now()
  let corrected = false
  for (;;) {
    const tally = new Tally()
    const attempt = new Attempt(world, stream, files, options, tally, start)
    try {
      const outcome = await attempt.run()
      if (outcome === 'corrected') corrected = true
      else return { ...syncReport(stream.key, secondsSince(start), tally, outcome), corrected }
    } catch (error) {
      const reasons = [refusalFromError(error).message]
      await writeRun(world.database, { ...attempt.runSoFar(), status: 'refused', snapshotId: null, reasons })
      const outcome: SyncOutcome = { status: 'refused', snapshot_ref: null, reasons }
      return { ...syncReport(stream.key, secondsSince(start), tally, outcome), corrected }
    }
  }
}

function secondsSince(start: number): number {
  return Math.round(performance.now() - start) / 1000
}

const characterNotInRepertoire = '22021'

/** What says something of the snapshot or the moment is a refusal; anything else is a fault, and thrown on. */
export function refusalFromError(error: unknown): Refusal {
  if (error instanceof Refusal) return error
  if (isLockTimeout(error) || isTransient(error)) {
    return new Refusal('another sync or import was in the way; nothing was changed, try again', {
      cause: error,
    })
  }
  if (errorCode(error) === characterNotInRepertoire) {
    return new Refusal('a row holds a zero byte, which no text has', { cause: error })
  }
  throw error
}
