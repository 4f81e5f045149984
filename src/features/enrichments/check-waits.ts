import { Failure } from '../../core/failure.ts'
import type { Database } from '../../database/open.ts'
import { listEnded } from './checks-store.ts'

/** Requests of one process that wait at once. */
const placesDefault = 500
const pollEveryMs = 2_000
const fullRetryAfterSeconds = 10

type Listen = (options: { onPayload(payload: string): void; onConnected(): void }) => {
  close(): Promise<void>
}

export type CheckWaitsOptions = {
  database: Database
  /** Listens to `finishedChannel`. */
  listen: Listen
  waitMs: number
  places?: number
}

/** The requests of this process that wait for checks: one connection listens for all, one statement polls. */
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

  /** Aborted as by a timeout when the process stops. */
  get stopping(): AbortSignal {
    return this.#stopping.signal
  }

  /** Requests that wait now. */
  get count(): number {
    let count = 0
    for (const ofCheck of this.#waiting.values()) count += ofCheck.size
    return count
  }

  /** A request that may wait, until `leave`. */
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
   * Resolves when the check has ended, the time is up (also that of `timeIsUp`) or the process stops; fails
   * when `left` is aborted.
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
    // It may have ended before.
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

  /** Answers all that wait, now and later, with what is stored. */
  stop(): void {
    this.#stopping.abort(new DOMException('the service stops', 'TimeoutError'))
    for (const checkId of [...this.#waiting.keys()]) this.#wake(checkId)
  }

  /** After the last request that entered has left. */
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
      // While the database is away, the next poll or the deadline ends the wait.
      const ended = await listEnded(this.#options.database, [...this.#waiting.keys()]).catch(() => [])
      for (const checkId of ended) this.#wake(checkId)
    }
  }
}
