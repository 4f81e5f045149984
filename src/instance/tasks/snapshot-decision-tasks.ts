import { StaffError } from '../../core/staff-error.ts'
import type { World } from '../../database/open.ts'
import { decideTask, findOpenDecision, finishDecision } from '../../features/staff/index.ts'
import type { Task } from '../../jobs/index.ts'
import { approveSnapshot, discardSnapshot, findKnownStream } from '../../registers/index.ts'

/** Carries out what staff decided in the dashboard, which also shows a refusal. */
export function carryOutDecisions({ now }: { now: () => Date }): Task<{ decision: number }> {
  return {
    ...decideTask,
    retryAfterMs: 10_000,
    async run({ decision: id }, { world, log }) {
      const open = await findOpenDecision(world.database, id)
      if (open === undefined) return // Another worker has carried out the decision.
      const { snapshot_ref: snapshotRef, decision, reason } = open
      let failure: string | null = null
      try {
        if (decision === 'discard') await discardSnapshot(world, { snapshotRef, reason, now: now() })
        else failure = await approve(world, { snapshotRef, reason, now: now() })
      } catch (error) {
        failure = error instanceof StaffError ? error.message : 'It failed; the log has the reason.'
        if (!(error instanceof StaffError)) log.error({ err: error, snapshotRef }, 'a decision failed')
      }
      await finishDecision(world.database, { id, failure, now: now() })
    },
  }
}

/** Returns why the approval was refused, or null if it was applied. */
async function approve(
  world: World,
  decided: { snapshotRef: string; reason: string; now: Date },
): Promise<string | null> {
  const { status, reasons } = await approveSnapshot(world, { ...decided, findStream: findKnownStream })
  return status === 'refused' ? reasons.join('; ') : null
}
