import { Failure } from '../../../core/failure.ts'
import { foldedWords } from '../../../core/fold-text.ts'
import { foldValue } from '../../../core/search-text.ts'
import type { World } from '../../../database/open.ts'
import { readPlatformNames } from './platform-brands-store.ts'

/** Names of platforms, folded and joined to one word each. */
export type PlatformBrands = ReadonlySet<string>

export function foldBrands(names: readonly string[]): PlatformBrands {
  return new Set(
    names.flatMap(name => [plainWords(name).join(''), foldValue(name)]).filter(brand => brand !== ''),
  )
}

/** Whether words that stand together in the text make one of the names, however they are parted. */
export function namesBrand(text: string, brands: PlatformBrands): boolean {
  // A name of signs alone has no words.
  if (brands.has(foldValue(text))) return true
  const words = plainWords(text)
  const charactersMax = Math.max(0, ...Array.from(brands, brand => brand.length))
  for (let first = 0; first < words.length; first += 1) {
    let run = ''
    for (let next = first; next < words.length && run.length <= charactersMax; next += 1) {
      run += words[next]
      if (brands.has(run)) return true
    }
  }
  return false
}

/** Words as search compares them: symbols do not part names. */
function plainWords(text: string): string[] {
  return foldedWords(text)
    .map(word => (word === '&' ? 'and' : word.replaceAll(/\p{S}+/gu, '')))
    .filter(word => word !== '')
}

type KeptBrands = { version: number; brands: PlatformBrands }

/** Of the version of the data that was read last: a review counts from the next request on. */
const kept = new WeakMap<World, KeptBrands>()

async function reviewedBrands(world: World): Promise<PlatformBrands> {
  const known = kept.get(world)
  const { version, names } = await readPlatformNames(world, known?.version ?? null)
  if (names === null && known !== undefined) return known.brands
  const brands = foldBrands(names ?? [])
  kept.set(world, { version, brands })
  return brands
}

/** Which Companies run on a platform is sold (§4.4): a free text may not name one that a person has reviewed. */
export async function refusePlatformBrand(world: World, text: string): Promise<void> {
  if (!namesBrand(text, await reviewedBrands(world))) return
  throw new Failure('platform_brand_in_query', {
    details: { parameter: 'q', takes: 'text without the name of a platform' },
  })
}
