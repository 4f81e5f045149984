import { LRUCache } from 'lru-cache'
import { hashKey, isWellFormedKey } from '../../core/api-key.ts'
import type { Caller } from '../../core/operation.ts'
import type { World } from '../../database/open.ts'
import { type AuthenticatedKey, authenticatedKeys, recordKeyUse } from './key-store.ts'

/** A revoked key is refused by every process within this time and one look-up; the contract says 5 seconds. */
const rememberedMs = 3_000
const rememberedMax = 50_000
const touchEveryMs = 30_000

type Remembered = { key: AuthenticatedKey | null }

/** Tells whose key it is. Unknown, malformed, expired and revoked keys are all `null`. */
export class KeyRing {
  readonly #world: World
  readonly #onError: (error: unknown) => void
  readonly #remembered = new LRUCache<string, Remembered>({ max: rememberedMax, ttl: rememberedMs })
  readonly #used = new Set<number>()
  readonly #timer: NodeJS.Timeout

  constructor(world: World, onError: (error: unknown) => void) {
    this.#world = world
    this.#onError = onError
    this.#timer = setInterval(() => void this.flush(), touchEveryMs)
    this.#timer.unref()
  }

  async authenticate(key: string, now: Date): Promise<Caller | null> {
    let remembered = this.#remembered.get(key)
    if (remembered === undefined) {
      if (!isWellFormedKey(key)) return null
      const hash = hashKey(key).toString('hex')
      remembered = { key: (await this.#world.readByKey(authenticatedKeys, hash)) ?? null }
      this.#remembered.set(key, remembered)
    }
    const found = remembered.key
    if (found === null || (found.expires_at !== null && found.expires_at <= now)) return null
    this.#used.add(found.key_id)
    return { accountId: found.account_id, accountRef: found.account_ref, plan: found.plan }
  }

  /** Writes down which keys were used. */
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
