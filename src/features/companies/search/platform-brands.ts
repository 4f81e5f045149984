import { foldedWords, foldValue } from '@baize/names'
import { Failure } from '../../../core/failure.ts'
import type { World } from '../../../database/open.ts'
import { readPlatformNames } from './platform-brands-store.ts'

type PlatformBrands = ReadonlySet<string>

export function foldBrands(names: readonly string[]): PlatformBrands {
  return new Set(
    names.flatMap(name => [plainWords(name).join(''), foldValue(name)]).filter(brand => brand !== ''),
  )
}

/** Returns true if neighbouring words of the text, joined, are a platform's name. */
export function namesBrand(text: string, brands: PlatformBrands): boolean {
  // A name of symbols alone has no words, so the whole text is compared.
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

function plainWords(text: string): string[] {
  return foldedWords(text)
    .map(word => (word === '&' ? 'and' : word.replaceAll(/\p{S}+/gu, '')))
    .filter(word => word !== '')
}

type CachedBrands = { version: number; brands: PlatformBrands }

/** Caches the names of the latest version, so that a review applies from the next request. */
const cache = new WeakMap<World, CachedBrands>()

async function reviewedBrands(world: World): Promise<PlatformBrands> {
  const known = cache.get(world)
  const { version, names } = await readPlatformNames(world, known?.version ?? null)
  if (names === null && known !== undefined) return known.brands
  const brands = foldBrands(names ?? [])
  cache.set(world, { version, brands })
  return brands
}

/** Rejects a text that names a reviewed platform: which Companies use one is paid data (§4.4). */
export async function refusePlatformBrand(world: World, text: string | undefined): Promise<void> {
  if (text === undefined || !namesBrand(text, await reviewedBrands(world))) return
  throw new Failure('platform_brand_in_query', {
    details: { parameter: 'q', takes: 'text without the name of a platform' },
  })
}
