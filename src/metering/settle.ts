import { setTimeout as wait } from 'node:timers/promises'
import type pg from 'pg'
import { withClientTimeout } from '../database/batch-reader.ts'
import {
  isConnectionLoss,
  isLockTimeout,
  isStatementTimeout,
  isTransient,
  neverReached,
} from '../database/errors.ts'
import { BusyAccounts } from './busy-accounts.ts'
import { type SettleItem, type SettleOutcome, settleOnce } from './settle-statement.ts'
import { UnknownSettlements } from './unknown-settlements.ts'

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

/** Batches that go one after the other; two lanes go beside each other, each on a connection of its own. */
type Lane = { waiting: Waiting[]; draining: Promise<void> | null }

/**
 * Group commit of charges (contract section 5): while one settlement is in flight, further ones gather, and go
 * together in the next round trip. Each item is still judged on its own and in order by the database function.
 *
 * After a lost connection nobody knows whether the batch was committed. It is sent again with the same settlement
 * ids, and so learns the outcome before anyone is answered.
 *
 * Accounts that were found locked by somebody else go apart (see busy-accounts.ts), so that they make nobody else
 * wait twice. Items of one account may then be under way in both lanes, as they may in two processes: the function's
 * lock on the account decides between them.
 */
export class Settler {
  readonly #pool: pg.Pool
  readonly #busy = new BusyAccounts()
  readonly #main: Lane = { waiting: [], draining: null }
  readonly #apart: Lane = { waiting: [], draining: null }
  /** Settlements of which nobody was told whether they stand. */
  readonly unknown = new UnknownSettlements()

  /** The pool is the settler's own: its connections are held for round trips, not for whole requests. */
  constructor(pool: pg.Pool) {
    this.#pool = pool
  }

  settle(item: SettleItem): Promise<SettleOutcome> {
    return new Promise((resolve, reject) => {
      const lane = this.#busy.has(item.accountId, Date.now()) ? this.#apart : this.#main
      lane.waiting.push({ item, resolve, reject })
      this.#start(lane)
    })
  }

  /** Resolves when everything handed in so far is settled. */
  async idle(): Promise<void> {
    for (;;) {
      const draining = this.#main.draining ?? this.#apart.draining
      if (draining === null) return
      await draining
    }
  }

  #start(lane: Lane): void {
    lane.draining ??= new Promise<void>(done => setImmediate(() => void this.#drain(lane).then(done)))
  }

  async #drain(lane: Lane): Promise<void> {
    while (lane.waiting.length > 0) {
      const batch = this.#takeBatch(lane)
      if (batch.length > 0) await this.#settleBatch(batch)
    }
    lane.draining = null
  }

  /** In order of arrival; a second item with the same account and key waits for the next batch, where it replays. */
  #takeBatch(lane: Lane): Waiting[] {
    const batch: Waiting[] = []
    const left: Waiting[] = []
    const keys = new Set<string>()
    for (const waiting of lane.waiting) {
      // Its account was found busy while it waited here.
      if (lane === this.#main && this.#busy.has(waiting.item.accountId, Date.now())) {
        this.#apart.waiting.push(waiting)
        this.#start(this.#apart)
        continue
      }
      const key = waiting.item.answer?.idempotency?.key
      const place = key === undefined ? null : `${waiting.item.accountId} ${key}`
      if (batch.length === itemsMax || (place !== null && keys.has(place))) {
        left.push(waiting)
        continue
      }
      if (place !== null) keys.add(place)
      batch.push(waiting)
    }
    lane.waiting = left
    return batch
  }

  async #settleBatch(batch: Waiting[]): Promise<void> {
    try {
      const outcomes = await this.#send(batch.map(waiting => waiting.item))
      const nowMs = Date.now()
      batch.forEach((waiting, index) => {
        const outcome = outcomes[index] as SettleOutcome
        if (outcome.outcome === 'busy') this.#busy.found(waiting.item.accountId, nowMs)
        else this.#busy.forget(waiting.item.accountId)
        waiting.resolve(outcome)
      })
    } catch (error) {
      if (batch.length === 1 || error instanceof OutcomeUnknown || isConnectionLoss(error)) {
        if (error instanceof OutcomeUnknown)
          this.unknown.keep(
            batch.map(waiting => waiting.item),
            Date.now(),
          )
        for (const waiting of batch) waiting.reject(error)
        return
      }
      // A batch that fails as a whole is tried again item by item, so that a bad item fails alone.
      for (const waiting of batch) await this.#settleBatch([waiting])
    }
  }

  /**
   * Bounded attempts with jitter. A lock that was not had in time is not waited for again: its items read `busy`; nor is
   * it waited for at all while it is known to be held.
   */
  async #send(items: SettleItem[]): Promise<SettleOutcome[]> {
    const startedMs = Date.now()
    let skipBusy = items.some(item => this.#busy.isHeld(item.accountId, startedMs))
    // Once an attempt was lost, only an answer of the database says what became of it: `busy` would not.
    let lost = false
    for (let attempt = 1; ; attempt++) {
      try {
        return await settleOnce(
          async (text, values) => {
            const { rows } = await this.#pool.query<SettleOutcome>(
              withClientTimeout({ name: 'settle', text, values }),
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
        // The lock may be that of the lost attempt itself, which is then about to be committed.
        if (lost) skipBusy = false
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
