import { setTimeout as wait } from 'node:timers/promises'
import type pg from 'pg'
import {
  isConnectionLoss,
  isLockTimeout,
  isStatementTimeout,
  isTransient,
  neverReached,
} from '../database/errors.ts'
import { patiently } from '../database/gather.ts'
import { type SettleItem, type SettleOutcome, settleOnce } from './settle-statement.ts'

const itemsMax = 256
const attemptsMax = 10
const backoffFirstMs = 20
const backoffMaxMs = 1_000

/**
 * The database went away in the middle of settling and did not come back in time: the charge may stand or not. Nobody
 * may be told that nothing was charged; under an Idempotency-Key a retry learns the outcome, and is never charged twice.
 */
export class OutcomeUnknown extends Error {
  override readonly name = 'OutcomeUnknown'
}

type Waiting = { item: SettleItem; resolve(outcome: SettleOutcome): void; reject(error: unknown): void }

/**
 * Group commit of charges (contract section 5): while one settlement is in flight, further ones gather, and go
 * together in the next round trip. Each item is still judged on its own and in order by the database function.
 *
 * After a lost connection nobody knows whether the batch was committed. It is sent again with the same settlement
 * ids, and so learns the outcome before anyone is answered.
 */
export class Settler {
  readonly #pool: pg.Pool
  #waiting: Waiting[] = []
  #draining: Promise<void> | null = null

  /** The pool is the settler's own: its connections are held for round trips, not for whole requests. */
  constructor(pool: pg.Pool) {
    this.#pool = pool
  }

  settle(item: SettleItem): Promise<SettleOutcome> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ item, resolve, reject })
      this.#draining ??= new Promise<void>(done => setImmediate(() => void this.#drain().then(done)))
    })
  }

  /** Resolves when everything handed in so far is settled. */
  async idle(): Promise<void> {
    while (this.#draining !== null) await this.#draining
  }

  async #drain(): Promise<void> {
    while (this.#waiting.length > 0) await this.#settleBatch(this.#takeBatch())
    this.#draining = null
  }

  /** In order of arrival; a second item with the same account and key waits for the next batch, where it replays. */
  #takeBatch(): Waiting[] {
    const batch: Waiting[] = []
    const left: Waiting[] = []
    const keys = new Set<string>()
    for (const waiting of this.#waiting) {
      const key = waiting.item.answer?.idempotency?.key
      const place = key === undefined ? null : `${waiting.item.accountId} ${key}`
      if (batch.length === itemsMax || (place !== null && keys.has(place))) {
        left.push(waiting)
        continue
      }
      if (place !== null) keys.add(place)
      batch.push(waiting)
    }
    this.#waiting = left
    return batch
  }

  async #settleBatch(batch: Waiting[]): Promise<void> {
    try {
      const outcomes = await this.#send(batch.map(waiting => waiting.item))
      batch.forEach((waiting, index) => {
        waiting.resolve(outcomes[index] as SettleOutcome)
      })
    } catch (error) {
      if (batch.length === 1 || error instanceof OutcomeUnknown || isConnectionLoss(error)) {
        for (const waiting of batch) waiting.reject(error)
        return
      }
      // A batch that fails as a whole is tried again item by item, so that a bad item fails alone.
      for (const waiting of batch) await this.#settleBatch([waiting])
    }
  }

  /** Bounded attempts with jitter. A lock that was not had in time is not waited for again: its items read `busy`. */
  async #send(items: SettleItem[]): Promise<SettleOutcome[]> {
    let skipBusy = false
    // Once an attempt was lost, only an answer of the database says what became of it: `busy` would not.
    let lost = false
    for (let attempt = 1; ; attempt++) {
      try {
        return await settleOnce(
          async (text, values) => {
            const { rows } = await this.#pool.query<SettleOutcome>(
              patiently({ name: 'settle', text, values }),
            )
            return rows
          },
          items,
          skipBusy,
        )
      } catch (error) {
        if (isLockTimeout(error) && !skipBusy && !lost) {
          skipBusy = true
          continue
        }
        lost ||= isConnectionLoss(error) && !neverReached(error)
        const again =
          isConnectionLoss(error) || isTransient(error) || isStatementTimeout(error) || isLockTimeout(error)
        if (!again || attempt === attemptsMax) {
          throw lost ? new OutcomeUnknown('settling was cut off', { cause: error }) : error
        }
        await wait(Math.random() * Math.min(backoffMaxMs, backoffFirstMs * 2 ** attempt))
      }
    }
  }
}
