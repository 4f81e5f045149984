import { LRUCache } from 'lru-cache'
import { hashKey, isWellFormedKey } from '../../core/api-key.ts'
import type { Caller } from '../../core/operation.ts'
import type { World } from '../../database/open.ts'
import { type AuthenticatedKey, authenticatedKeys, recordKeyUse } from './key-store.ts'

/** A revoked key still works for at most this time; the contract allows 5 seconds. */
const cachedMs = 3_000
const cachedMax = 50_000
const recordEveryMs = 30_000

type Cached = { key: AuthenticatedKey | null }

/**
 * Authenticates keys with a short cache. The result is `null` for unknown, malformed, expired and revoked
 * keys.
 */
export class KeyRing {
  readonly #world: World
  readonly #onError: (error: unknown) => void
  readonly #cache = new LRUCache<string, Cached>({ max: cachedMax, ttl: cachedMs })
  readonly #used = new Set<number>()
  readonly #timer: NodeJS.Timeout

  constructor(world: World, onError: (error: unknown) => void) {
    this.#world = world
    this.#onError = onError
    this.#timer = setInterval(() => void this.flush(), recordEveryMs)
    this.#timer.unref()
  }

  async authenticate(key: string, now: Date): Promise<Caller | null> {
    let cached = this.#cache.get(key)
    if (cached === undefined) {
      if (!isWellFormedKey(key)) return null
      const hash = hashKey(key).toString('hex')
      cached = { key: (await this.#world.primary.readByKey(authenticatedKeys, hash)) ?? null }
      this.#cache.set(key, cached)
    }
    const found = cached.key
    if (found === null || (found.expires_at !== null && found.expires_at <= now)) return null
    this.#used.add(found.key_id)
    return {
      accountId: found.account_id,
      accountRef: found.account_ref,
      plan: found.plan,
      keyId: found.key_id,
    }
  }

  async flush(): Promise<void> {
    const keyIds = [...this.#used]
    this.#used.clear()
    if (keyIds.length === 0) return
    try {
      await recordKeyUse(this.#world.database, keyIds, new Date())
    } catch (error) {
      this.#onError(error)
    }
  }

  async close(): Promise<void> {
    clearInterval(this.#timer)
    await this.flush()
  }
}
