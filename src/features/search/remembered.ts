import { LRUCache } from 'lru-cache'
import type { World } from '../../database/open.ts'
import type { FacetCount, SearchBasis } from './contract.ts'
import type { TextQuery } from './text-query.ts'

/** What was found out of a search at a version of the data; it stays true of that version. */
export type Evaluated = {
  version: number
  total: number
  basis: SearchBasis
  /** What the text may have meant; null: it was not asked. */
  like: TextQuery | null
  facets: Map<string, FacetCount>
}

const searchesMax = 1_000
const remembered = new WeakMap<World, LRUCache<string, Evaluated>>()

/** undefined: not asked before at this version. */
export function recall(world: World, key: string, version: number): Evaluated | undefined {
  const known = remembered.get(world)?.get(key)
  return known?.version === version ? known : undefined
}

export function remember(world: World, key: string, evaluated: Evaluated): Evaluated {
  let searches = remembered.get(world)
  if (searches === undefined) {
    searches = new LRUCache({ max: searchesMax })
    remembered.set(world, searches)
  }
  searches.set(key, evaluated)
  return evaluated
}
