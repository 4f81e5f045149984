import type { Stream } from '@baize/registers'
import { RecordTally } from '@baize/registers/guard'
import type { World } from '../../database/open.ts'
import type { RegisterFile } from '../file-on-disk.ts'
import { refusalFromError } from './refusal-from-error.ts'
import { writeRun } from './runs-store.ts'
import { SyncAttempt } from './sync-attempt.ts'
import type { SyncOptions } from './sync-options.ts'
import { type SyncOutcome, type SyncReport, syncReport } from './sync-report.ts'

/**
 * Applies one snapshot in one transaction, or changes nothing but the record of the run. A newer parser
 * first reads the last snapshot's files again, because our corrections are not changes of the register.
 */
export async function syncRegister(
  world: World,
  stream: Stream,
  files: readonly RegisterFile[],
  options: SyncOptions,
): Promise<SyncReport> {
  const start = performance.now()
  let corrected = false
  for (;;) {
    const tally = new RecordTally()
    const attempt = new SyncAttempt({ world, stream, files, options, tally, start })
    const report = (outcome: SyncOutcome): SyncReport => ({
      ...syncReport(stream.key, secondsSince(start), tally, outcome),
      corrected,
    })
    try {
      const outcome = await attempt.run()
      if (outcome !== 'corrected') return report(outcome)
      corrected = true
    } catch (error) {
      const reasons = [refusalFromError(error).message]
      await writeRun(world.database, { ...attempt.runSoFar(), status: 'refused', snapshotId: null, reasons })
      return report({ status: 'refused', snapshot_ref: null, reasons })
    }
  }
}

function secondsSince(start: number): number {
  return Math.round(performance.now() - start) / 1000
}
