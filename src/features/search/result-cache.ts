import type { Delivery } from '../../core/operation.ts'
import type { World } from '../../database/open.ts'
import type { FacetCount, SearchBasis } from './contract.ts'
import { readVersion } from './dictionary.ts'
import type { TextQuery } from './text/text-query.ts'
import { VersionCache } from './version-cache.ts'

/** What was found out of a search at a version of the data. */
export type Evaluated = {
  version: number
  total: number
  basis: SearchBasis
  /** What the text may have meant; null: it was not asked. */
  like: TextQuery | null
  facets: Map<string, FacetCount>
}

const searches = new VersionCache<Evaluated>(2_000)

/** undefined: not asked before at this version. */
export const recall = (world: World, key: string, version: number) => searches.recall(world, key, version)

export const remember = (world: World, key: string, evaluated: Evaluated) =>
  searches.keep(world, key, evaluated.version, evaluated)

const previews = new VersionCache<Delivery<unknown>>(500)

/**
 * A free preview, which is asked again and again as somebody types and ponders: then nothing but the version is read, and
 * what was written is sent again.
 */
export async function cachedPreview<Data>(
  world: World,
  operation: string,
  filters: object,
  look: () => Promise<{ delivery: Delivery<Data>; version: number }>,
): Promise<Delivery<Data>> {
  const key = JSON.stringify([operation, filters])
  const before = await readVersion(world)
  const known = previews.recall(world, key, before)
  if (known !== undefined) return known as Delivery<Data>
  const { delivery, version } = await look()
  // What a writer changed while it was looked at may be half of one version, half of the other.
  if (version === before) previews.keep(world, key, version, delivery)
  return delivery
}
