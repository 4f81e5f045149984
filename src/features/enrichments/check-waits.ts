import { Failure } from '../../core/failure.ts'
import type { Database } from '../../database/open.ts'
import { listEnded } from './checks-store.ts'

/** The most requests of one process that may wait at the same time. */
const placesDefault = 500
const pollEveryMs = 2_000
const fullRetryAfterSeconds = 10

type Listen = (options: { onPayload(payload: string): void; onConnected(): void }) => {
  close(): Promise<void>
}

export type CheckWaitsOptions = {
  database: Database
  /** Listens to the PostgreSQL channel `finishedChannel`. */
  listen: Listen
  waitMs: number
  places?: number
}

/**
 * Lets requests of this process wait for checks. One connection listens, and one statement polls, for all.
 */
export class CheckWaits {
  readonly #options: CheckWaitsOptions
  readonly #waiting = new Map<number, Set<() => void>>()
  #listening: { close(): Promise<void> } | null = null
  #timer: NodeJS.Timeout | null = null
  #polling: Promise<void> | null = null
  #pollsAgain = false
  readonly #stopping = new AbortController()
  #entered = 0
  #onEmpty: (() => void) | null = null

  constructor(options: CheckWaitsOptions) {
    this.#options = options
  }

  /** Is aborted, like a timeout, when the process stops. */
  get stopping(): AbortSignal {
    return this.#stopping.signal
  }

  /** Returns the number of waiting requests. */
  get count(): number {
    let count = 0
    for (const ofCheck of this.#waiting.values()) count += ofCheck.size
    return count
  }

  /** Reserves a place for a request that may wait; `leave` frees it. */
  enter(): void {
    if (this.#entered >= (this.#options.places ?? placesDefault))
      throw new Failure('service_unavailable', {
        message: 'Too many requests wait for checks of sites; nothing was charged. Try again.',
        retryAfterSeconds: fullRetryAfterSeconds,
      })
    this.#entered += 1
  }

  leave(): void {
    this.#entered -= 1
    if (this.#entered === 0) this.#onEmpty?.()
  }

  /**
   * Waits until the check has ended, its time or `timeIsUp` is over, or the process stops. Fails when
   * `left` is aborted.
   */
  async wait(checkId: number, left: AbortSignal | null, timeIsUp: AbortSignal | null = null): Promise<void> {
    left?.throwIfAborted()
    if (this.stopping.aborted || timeIsUp?.aborted) return
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const timer = setTimeout(resolve, this.#options.waitMs)
    const leave = () => reject(left?.reason)
    const end = () => resolve()
    left?.addEventListener('abort', leave, { once: true })
    timeIsUp?.addEventListener('abort', end, { once: true })
    const ofCheck = this.#waiting.get(checkId) ?? new Set()
    this.#waiting.set(checkId, ofCheck.add(resolve))
    this.#listening ??= this.#options.listen({
      onPayload: payload => this.#wake(Number(payload)),
      onConnected: () => this.#poll(),
    })
    this.#timer ??= setInterval(() => this.#poll(), pollEveryMs)
    // The check may have ended before this call.
    this.#poll()
    try {
      await promise
    } finally {
      clearTimeout(timer)
      left?.removeEventListener('abort', leave)
      timeIsUp?.removeEventListener('abort', end)
      ofCheck.delete(resolve)
      if (ofCheck.size === 0 && this.#waiting.get(checkId) === ofCheck) this.#waiting.delete(checkId)
      if (this.#waiting.size === 0) this.#rest()
    }
  }

  /** Ends all waits, current and later ones, so that requests answer with stored data. */
  stop(): void {
    this.#stopping.abort(new DOMException('the service stops', 'TimeoutError'))
    for (const checkId of [...this.#waiting.keys()]) this.#wake(checkId)
  }

  /** Stops, and returns after the last request has left. */
  async close(): Promise<void> {
    this.stop()
    if (this.#entered > 0) await new Promise<void>(resolve => (this.#onEmpty = resolve))
    this.#rest()
    await this.#polling
    await this.#listening?.close()
  }

  #rest(): void {
    if (this.#timer !== null) clearInterval(this.#timer)
    this.#timer = null
  }

  #wake(checkId: number): void {
    for (const resolve of this.#waiting.get(checkId) ?? []) resolve()
  }

  #poll(): void {
    this.#pollsAgain = true
    this.#polling ??= this.#pollAll().finally(() => {
      this.#polling = null
    })
  }

  async #pollAll(): Promise<void> {
    while (this.#pollsAgain) {
      this.#pollsAgain = false
      // If the database cannot be reached, the next poll or the deadline ends the wait.
      const ended = await listEnded(this.#options.database, [...this.#waiting.keys()]).catch(() => [])
      for (const checkId of ended) this.#wake(checkId)
    }
  }
}
