import { setTimeout as wait } from 'node:timers/promises'
import {
  isConnectionLoss,
  isLockTimeout,
  isStatementTimeout,
  isTransient,
  neverReached,
  withClientTimeout,
} from '@baize/postgres'
import type pg from 'pg'
import { BusyAccounts } from './busy-accounts.ts'
import { type RunStatement, type SettleItem, type SettleOutcome, settleOnce } from './settle-statement.ts'
import { UnknownSettlements } from './unknown-settlements.ts'

const itemsMax = 256
const attemptsMax = 10
const backoffFirstMs = 20
const backoffMaxMs = 1_000
/** The service is not ready for this time after a failure, unless a later batch is settled. */
const failureCountsMs = 5_000

/**
 * Means that the connection was lost while settling, and retries failed. The charge may have succeeded or
 * not. With an Idempotency-Key the client's retry gets the outcome, and is never charged twice.
 */
export class OutcomeUnknown extends Error {
  override readonly name = 'OutcomeUnknown'
}

type Waiting = { item: SettleItem; resolve(outcome: SettleOutcome): void; reject(error: unknown): void }

/** A lane settles one batch at a time. Two lanes run in parallel, each on a separate connection. */
type Lane = { waiting: Waiting[]; draining: Promise<void> | null }

/**
 * Group commit of charges (contract section 5): items that arrive during a round trip are sent together in
 * the next one. The database function decides each item separately, in order. After a lost connection the
 * batch is sent again with the same settlement ids, which returns the outcome of the first attempt. Items
 * of locked accounts use a separate lane (busy-accounts.ts). The function locks the account, so both lanes,
 * or several processes, may settle items of one account.
 */
export class Settler {
  readonly #pool: pg.Pool
  readonly #busy = new BusyAccounts()
  readonly #main: Lane = { waiting: [], draining: null }
  readonly #separate: Lane = { waiting: [], draining: null }
  #failure: { atMs: number; reason: string } | null = null
  /** Settlements with an unknown outcome. */
  readonly unknown = new UnknownSettlements()

  /** Nothing else may use the pool. */
  constructor(pool: pg.Pool) {
    this.#pool = pool
  }

  /** Fails if a charge would fail, and prepares a connection for the first one. */
  async probe(): Promise<void> {
    await settleOnce(this.#run, [])
    await this.#pool.query(withClientTimeout({ name: 'probe_settling', text: 'select probe_settling()' }))
  }

  /** Returns why the last batch failed, if that was a moment ago. */
  failure(nowMs: number): string | null {
    const recent = this.#failure !== null && nowMs - this.#failure.atMs < failureCountsMs
    return recent ? `charges fail: ${this.#failure?.reason}` : null
  }

  readonly #run: RunStatement = async (text, values) => {
    const { rows } = await this.#pool.query<SettleOutcome>(
      withClientTimeout({ name: 'settle', text, values }),
    )
    return rows
  }

  settle(item: SettleItem): Promise<SettleOutcome> {
    return new Promise((resolve, reject) => {
      const lane = this.#busy.has(item.accountId, Date.now()) ? this.#separate : this.#main
      lane.waiting.push({ item, resolve, reject })
      this.#start(lane)
    })
  }

  /** Resolves when all items so far are settled. */
  async idle(): Promise<void> {
    for (;;) {
      const draining = this.#main.draining ?? this.#separate.draining
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

  /** Takes items in order of arrival. A second item with the same key or id waits for the next batch. */
  #takeBatch(lane: Lane): Waiting[] {
    const batch: Waiting[] = []
    const left: Waiting[] = []
    const keys = new Set<string>()
    for (const waiting of lane.waiting) {
      // The account was found locked while the item waited.
      if (lane === this.#main && this.#busy.has(waiting.item.accountId, Date.now())) {
        this.#separate.waiting.push(waiting)
        this.#start(this.#separate)
        continue
      }
      const { accountId, settlementId, answer } = waiting.item
      const key = answer?.idempotency?.key
      const place = key === undefined ? settlementId : `${accountId} ${key}`
      if (batch.length === itemsMax || keys.has(place)) {
        left.push(waiting)
        continue
      }
      keys.add(place)
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
        if (outcome.outcome === 'busy') this.#busy.add(waiting.item.accountId, nowMs)
        else this.#busy.delete(waiting.item.accountId)
        waiting.resolve(outcome)
      })
    } catch (error) {
      if (batch.length === 1 || error instanceof OutcomeUnknown || isConnectionLoss(error)) {
        if (error instanceof OutcomeUnknown)
          this.unknown.add(
            batch.map(waiting => waiting.item),
            Date.now(),
          )
        for (const waiting of batch) waiting.reject(error)
        return
      }
      // Items are tried again one by one, so that only the bad one fails.
      for (const waiting of batch) await this.#settleBatch([waiting])
    }
  }

  /** Sends items and retries with backoff and jitter. Items of locked accounts are `busy`. */
  async #send(items: SettleItem[]): Promise<SettleOutcome[]> {
    const startedMs = Date.now()
    let skipBusy = items.some(item => this.#busy.isLocked(item.accountId, startedMs))
    // After a lost attempt `busy` is not an outcome, because the attempt may have been committed.
    let lost = false
    for (let attempt = 1; ; attempt++) {
      try {
        const outcomes = await settleOnce(this.#run, items, skipBusy)
        this.#failure = null
        return outcomes
      } catch (error) {
        if (isLockTimeout(error) && !skipBusy && !lost) {
          skipBusy = true
          continue
        }
        lost ||= isConnectionLoss(error) && !neverReached(error)
        // The lost attempt may have the lock, and may be about to commit.
        if (lost) skipBusy = false
        const again =
          isConnectionLoss(error) || isTransient(error) || isStatementTimeout(error) || isLockTimeout(error)
        if (!again || attempt === attemptsMax) {
          if (isConnectionLoss(error)) this.#failure = { atMs: Date.now(), reason: (error as Error).message }
          throw lost ? new OutcomeUnknown('connection lost while settling', { cause: error }) : error
        }
        await wait(Math.random() * Math.min(backoffMaxMs, backoffFirstMs * 2 ** attempt))
      }
    }
  }
}
