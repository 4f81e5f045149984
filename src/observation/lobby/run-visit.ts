import { setTimeout as pause } from 'node:timers/promises'
import { seeLobby } from '@baize/lobby-reader/see'
import type { Renderer } from '@baize/renderer'
import type { World } from '../../database/open.ts'
import { takeTurn } from '../../database/turns-store.ts'
import { claimVisit, failedVisit, finishVisit, isOpenVisit } from '../../features/lobbies/index.ts'

/** The gap to the next request of a check to the same site. */
const turnGapMs = 1_000
const turnWaitMsMax = 10_000

export type VisitOptions = {
  world: World
  renderer: Pick<Renderer, 'render'>
  /** The country of the way out; null: not configured. */
  country: string | null
  now: () => Date
  /** Stops the visit. Another worker then repeats it. */
  signal: AbortSignal
}

/** `waiting`: another visit of the site is open, or its turn has not come. */
export type VisitOutcome = 'ended' | 'waiting' | { status: string; reason: string | null; games: number }

/** Runs a visit, and stores the lobby and the charges in one transaction. */
export async function runVisit(
  visitId: number,
  { world: { database }, renderer, country, now, signal }: VisitOptions,
): Promise<VisitOutcome> {
  const visit = await claimVisit(database, visitId, now())
  if (visit === undefined) return (await isOpenVisit(database, visitId)) ? 'waiting' : 'ended'
  const waitMs = await takeTurn(database, visit.domain, { gapMs: turnGapMs, waitMsMax: turnWaitMsMax })
  if (waitMs === null) return 'waiting'
  await pause(waitMs, undefined, { signal })
  const seen = await seeLobby(visit, request => renderer.render(request), signal)
  signal.throwIfAborted()
  const { status, reason, finalUrl, lobby } = seen
  const end =
    status === 'failed' || lobby === null
      ? failedVisit(reason ?? 'interrupted', finalUrl)
      : { state: status, reason: null, finalUrl, country, sections: lobby.sections, games: lobby.games }
  if (!(await finishVisit(database, visit, end, now()))) return 'ended'
  return { status, reason, games: lobby?.games.length ?? 0 }
}
