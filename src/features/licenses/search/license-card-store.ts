import type { World } from '../../../database/open.ts'
import { type LicenseSample, licenseSampleOf } from './license-hit.ts'

/** Returns what the free preview shows of a license, by its ref. */
export async function findLicenseCard(world: World, ref: string): Promise<LicenseSample | undefined> {
  const [found] = await world.read<{ id: number; hit: string }>({
    name: 'license_card',
    text: `
      select license.id, search_row.hit::text as hit
        from licenses license
        join license_search search_row on search_row.id = license.id
       where license.license_ref = $1`,
    values: [ref],
  })
  return found && licenseSampleOf(found, { matches: null })
}
