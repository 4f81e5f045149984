/** For this long after an account was found locked, its lock is not waited for. */
const skipLockMs = 1_000
/**
 * For this long its items are settled in a lane of their own. Longer than clients take to retry
 * (`Retry-After: 1`), since each retry would make all others wait for the lock again.
 */
const separateMs = 60_000
const accountsMax = 10_000

/**
 * Accounts that another transaction has locked. The first batch with such an account waits for the lock;
 * then its items are settled separately, until one of them succeeds.
 */
export class BusyAccounts {
  /** When each account was last found locked, oldest first. */
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

  /** Whether its items are settled separately. */
  has(accountId: number, nowMs: number): boolean {
    return this.#foundWithin(accountId, separateMs, nowMs)
  }

  /** Whether to skip the account instead of waiting for its lock. */
  isLocked(accountId: number, nowMs: number): boolean {
    return this.#foundWithin(accountId, skipLockMs, nowMs)
  }

  #foundWithin(accountId: number, ms: number, nowMs: number): boolean {
    const foundAtMs = this.#foundAtMs.get(accountId)
    return foundAtMs !== undefined && nowMs - foundAtMs < ms
  }
}
