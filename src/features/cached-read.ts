import type { World } from '../database/open.ts'

type Read<Result> = (world: World, now: Date) => Promise<Result>

/** Returns `read` at most once in `cachedMs` per process and world, for data that few changes affect. */
export function cachedRead<Result>(cachedMs: number, read: Read<Result>): Read<Result> {
  const results = new WeakMap<World, { until: number; result: Promise<Result> }>()
  return (world, now) => {
    const cached = results.get(world)
    if (cached !== undefined && now.getTime() < cached.until) return cached.result
    const result = read(world, now)
    results.set(world, { until: now.getTime() + cachedMs, result })
    result.catch(() => results.delete(world))
    return result
  }
}
