import { type BrandDomainEntry, shippedBrandDomains } from '@baize/registers/entries'
import { newRef } from '../../core/ref.ts'
import type { World } from '../../database/open.ts'
import { insertBrandDomain } from './brand-domains-store.ts'

/** Stands for the program as the author of the rows that it ships. */
const author = 'baize'
const why = 'Shipped with the program.'

/** Proposes the rows of this release that were never stored. Staff approve or withdraw each. */
export function shipBrandDomains(
  world: World,
  now: Date,
  shipped: readonly BrandDomainEntry[] = shippedBrandDomains,
): Promise<void> {
  return world.database.transaction().execute(async tx => {
    for (const entry of shipped)
      await insertBrandDomain(tx, {
        ...entry,
        ref: newRef('bd'),
        why,
        enteredBy: author,
        now,
        shippedKey: [entry.market, entry.brand, entry.domain].join(' '),
      })
  })
}
