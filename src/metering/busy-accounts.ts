/** For this time after an account was found locked, batches skip it instead of waiting for its lock. */
const skipLockMs = 1_000
/**
 * For this time, items of a locked account are settled in a separate lane. It exceeds the time in which
 * clients retry (`Retry-After: 1`), because each retry would make all others wait for the lock.
 */
const separateMs = 60_000
const accountsMax = 10_000

/**
 * Remembers accounts that another transaction has locked. The first batch with such an account waits for
 * the lock. Then its items are settled separately, until one of them succeeds.
 */
export class BusyAccounts {
  /** The time when each account was last found locked, oldest first. */
  readonly #foundAtMs = new Map<number, number>()

  add(accountId: number, nowMs: number): void {
    this.#foundAtMs.delete(accountId)
    this.#foundAtMs.set(accountId, nowMs)
    if (this.#foundAtMs.size <= accountsMax) return
    for (const oldest of this.#foundAtMs.keys()) {
      this.#foundAtMs.delete(oldest)
      return
    }
  }

  delete(accountId: number): void {
    this.#foundAtMs.delete(accountId)
  }

  /** Returns whether items of the account are settled separately. */
  has(accountId: number, nowMs: number): boolean {
    return this.#foundWithin(accountId, separateMs, nowMs)
  }

  /** Returns whether to skip the account instead of waiting for its lock. */
  isLocked(accountId: number, nowMs: number): boolean {
    return this.#foundWithin(accountId, skipLockMs, nowMs)
  }

  #foundWithin(accountId: number, ms: number, nowMs: number): boolean {
    const foundAtMs = this.#foundAtMs.get(accountId)
    return foundAtMs !== undefined && nowMs - foundAtMs < ms
  }
}
