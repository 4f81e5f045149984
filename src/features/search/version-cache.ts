import { LRUCache } from 'lru-cache'
import type { World } from '../../database/open.ts'

/** A least-recently-used cache for each world, whose entries are valid for one version of the data. */
export class VersionCache<Value> {
  readonly #worlds = new WeakMap<World, LRUCache<string, { version: number; value: Value }>>()
  readonly #max: number

  constructor(max: number) {
    this.#max = max
  }

  get(world: World, key: string, version: number): Value | undefined {
    const entry = this.#worlds.get(world)?.get(key)
    return entry?.version === version ? entry.value : undefined
  }

  set(world: World, key: string, version: number, value: Value): Value {
    let values = this.#worlds.get(world)
    if (values === undefined) {
      values = new LRUCache({ max: this.#max })
      this.#worlds.set(world, values)
    }
    values.set(key, { version, value })
    return value
  }
}
