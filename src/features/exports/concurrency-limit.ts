import { setTimeout as pause } from 'node:timers/promises'

export class WaitTimeout extends Error {
  override readonly name = 'WaitTimeout'
}

type ConcurrencyLimit = <Result>(work: () => Promise<Result>, waitMsMax: number) => Promise<Result>

/** Runs at most `atOnceMax` works at the same time. Other works wait in order, each up to its own limit. */
export function concurrencyLimit(atOnceMax: number): ConcurrencyLimit {
  const waiting: (() => void)[] = []
  let running = 0

  async function waitForSlot(waitMsMax: number): Promise<void> {
    const { promise: freed, resolve: next } = Promise.withResolvers<void>()
    waiting.push(next)
    const timer = new AbortController()
    const timeout = pause(waitMsMax, 'timeout', { signal: timer.signal }).catch(() => null)
    const first = await Promise.race([freed, timeout])
    timer.abort()
    const place = waiting.indexOf(next)
    // The slot was freed at the moment of the timeout, so it is used.
    if (first !== 'timeout' || place === -1) return
    waiting.splice(place, 1)
    throw new WaitTimeout(`not started within ${waitMsMax} ms`)
  }

  return async (work, waitMsMax) => {
    if (running === atOnceMax) await waitForSlot(waitMsMax)
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
