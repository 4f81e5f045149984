import { setTimeout as pause } from 'node:timers/promises'

/** The work was not begun: its turn did not come in time. */
export class WaitTimeout extends Error {
  override readonly name = 'WaitTimeout'
}

export type ConcurrencyLimit = <Result>(work: () => Promise<Result>, waitMsMax: number) => Promise<Result>

/** Lets so many do their work at once; the others wait, in the order in which they came, and not longer than they say. */
export function concurrencyLimit(atOnceMax: number): ConcurrencyLimit {
  const waiting: (() => void)[] = []
  let running = 0

  async function turnComes(waitMsMax: number): Promise<void> {
    const { promise: come, resolve: next } = Promise.withResolvers<void>()
    waiting.push(next)
    const timer = new AbortController()
    const late = pause(waitMsMax, 'late', { signal: timer.signal }).catch(() => null)
    const first = await Promise.race([come, late])
    timer.abort()
    const place = waiting.indexOf(next)
    // One that was called at the same moment has its turn, late as it is.
    if (first !== 'late' || place === -1) return
    waiting.splice(place, 1)
    throw new WaitTimeout(`no turn within ${waitMsMax} ms`)
  }

  return async (work, waitMsMax) => {
    if (running === atOnceMax) await turnComes(waitMsMax)
    else running += 1
    try {
      return await work()
    } finally {
      const next = waiting.shift()
      if (next === undefined) running -= 1
      else next()
    }
  }
}
