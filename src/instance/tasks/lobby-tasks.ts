import { failLostVisits, lobbyTask } from '../../features/lobbies/index.ts'
import { findJobs, Postpone, type Task } from '../../jobs/index.ts'
import { runVisit, type VisitOptions } from '../../observation/index.ts'
import { recurring } from './recurring-task.ts'

/** Limits runs of the lobby monitor in one process. The renderer leaves a place free for checks besides. */
export const lobbiesAtOnceMax = 2
const retryAfterMs = 2_000
const waitMs = 5_000

/** Runs in a separate worker, so that visits of a minute do not delay checks. */
export function seeLobbies(
  visiting: Pick<VisitOptions, 'renderer' | 'country' | 'now'>,
): Task<{ visit: number }> {
  return {
    name: lobbyTask.name,
    attemptsMax: lobbyTask.attemptsMax,
    retryAfterMs,
    async run({ visit }, { world, log, signal }) {
      const outcome = await runVisit(visit, { ...visiting, world, signal })
      if (outcome === 'waiting') throw new Postpone('another visit of the site is open', waitMs)
      if (outcome !== 'ended') log.debug({ visit, ...outcome }, 'lobby seen')
    },
  }
}

/** Closes visits whose job is gone, and releases their credits. */
export function tendLobbies({ now }: { now: () => Date }): Task {
  return recurring('tend_lobbies', async ({ world: { database }, log }) => {
    for (const visit of await failLostVisits(database, findJobs, now()))
      log.error({ visit }, 'a lobby run failed; nothing was charged')
  })
}
