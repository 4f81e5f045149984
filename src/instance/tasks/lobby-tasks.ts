import type { Renderer } from '@baize/renderer'
import { failLostVisits, lobbyTask } from '../../features/lobbies/index.ts'
import { findJobs, Postpone, type Task } from '../../jobs/index.ts'
import { runVisit } from '../../observation/index.ts'
import { recurring } from './recurring-task.ts'

/** Limits runs of the lobby monitor in one process. The renderer leaves a place free for checks besides. */
export const lobbiesAtOnceMax = 2
const retryAfterMs = 2_000
const waitMs = 5_000

/** Runs in a separate worker, so that visits of a minute do not delay checks. */
export function seeLobbies({
  renderer,
  now,
}: {
  renderer: Renderer
  now: () => Date
}): Task<{ visit: number }> {
  return {
    name: lobbyTask.name,
    attemptsMax: lobbyTask.attemptsMax,
    retryAfterMs,
    async run({ visit }, { world, log, signal }) {
      const outcome = await runVisit(visit, { world, renderer, now, signal })
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
