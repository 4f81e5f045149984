import type { World } from '../../database/open.ts'
import type { FirmographicsData } from './schemas.ts'

export type StoredFirmographics = { domain: string; fetched_at: Date; data: FirmographicsData }

/** What is held of these Domains, by their names, in no order; one of which nothing is held is left out. */
export async function readFirmographics(
  world: World,
  domains: readonly string[],
): Promise<Map<string, StoredFirmographics>> {
  if (domains.length === 0) return new Map()
  const rows = await world.read<StoredFirmographics>({
    name: 'held_firmographics',
    text: `
      select domain.domain, held.fetched_at, held.data
        from domains domain
        join firmographics held on held.domain_id = domain.id
       where domain.domain = any ($1::text[])`,
    values: [domains],
    genericPlan: true,
  })
  return new Map(rows.map(row => [row.domain, row]))
}
