import { failLostChecks } from '../features/enrichments/index.ts'
import { findJobs, type Task } from '../jobs/index.ts'

/** No check stays open, and no credits stay reserved, after its job is gone. */
export function tendChecks({ now }: { now: () => Date }): Task {
  return {
    name: 'tend_checks',
    attemptsMax: 1,
    retryAfterMs: 0,
    everyMinute: true,
    async run(_payload, { world: { database }, log }) {
      for (const { checkId, failure } of await failLostChecks(database, findJobs, now()))
        log.error({ check: checkId, reason: failure }, 'a check of a site failed; nothing was charged')
    },
  }
}
