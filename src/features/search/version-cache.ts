import { LRUCache } from 'lru-cache'
import type { World } from '../../database/open.ts'

/**
 * What was found out at a version of the data, for each world by itself: true of that version as long as it is kept, and of no
 * other. The values that were asked for last stay.
 */
export class VersionCache<Value> {
  readonly #worlds = new WeakMap<World, LRUCache<string, { version: number; value: Value }>>()
  readonly #max: number

  constructor(max: number) {
    this.#max = max
  }

  /** undefined: not kept of this version. */
  recall(world: World, key: string, version: number): Value | undefined {
    const kept = this.#worlds.get(world)?.get(key)
    return kept?.version === version ? kept.value : undefined
  }

  keep(world: World, key: string, version: number, value: Value): Value {
    let values = this.#worlds.get(world)
    if (values === undefined) {
      values = new LRUCache({ max: this.#max })
      this.#worlds.set(world, values)
    }
    values.set(key, { version, value })
    return value
  }
}
