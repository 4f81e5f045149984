/** So long an account that was found locked is asked for without waiting for its lock. */
const busyRememberedMs = 1_000
/**
 * So long it goes apart from the others unless it settles before. Longer than clients that were told to try again in a
 * second take to come back: each of them would else make everybody wait for the lock anew.
 */
const apartMs = 60_000
const accountsMax = 10_000

/**
 * The accounts whose balance somebody else holds. The first batch that meets one waits for its lock, with everyone in
 * it; from then on its items are settled apart, until one of them is.
 */
export class BusyAccounts {
  /** When each was last found locked, oldest first. */
  readonly #foundAtMs = new Map<number, number>()

  found(accountId: number, nowMs: number): void {
    this.#foundAtMs.delete(accountId)
    this.#foundAtMs.set(accountId, nowMs)
    if (this.#foundAtMs.size <= accountsMax) return
    for (const oldest of this.#foundAtMs.keys()) {
      this.#foundAtMs.delete(oldest)
      return
    }
  }

  forget(accountId: number): void {
    this.#foundAtMs.delete(accountId)
  }

  /** Whether its items go apart. */
  has(accountId: number, nowMs: number): boolean {
    return this.#foundWithin(accountId, apartMs, nowMs)
  }

  /** Whether its lock is not waited for. */
  isHeld(accountId: number, nowMs: number): boolean {
    return this.#foundWithin(accountId, busyRememberedMs, nowMs)
  }

  #foundWithin(accountId: number, ms: number, nowMs: number): boolean {
    const foundAtMs = this.#foundAtMs.get(accountId)
    return foundAtMs !== undefined && nowMs - foundAtMs < ms
  }
}
