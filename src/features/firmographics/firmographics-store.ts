import type { World } from '../../database/open.ts'
import type { FirmographicsData } from './schemas.ts'

export type StoredFirmographics = { domain: string; fetched_at: Date; data: FirmographicsData }

/** Domains without data are left out. */
export async function readFirmographics(
  world: World,
  domains: readonly string[],
): Promise<Map<string, StoredFirmographics>> {
  if (domains.length === 0) return new Map()
  const rows = await world.read<StoredFirmographics>({
    name: 'stored_firmographics',
    text: `
      select domain.domain, stored.fetched_at, stored.data
        from domains domain
        join firmographics stored on stored.domain_id = domain.id
       where domain.domain = any ($1::text[])`,
    values: [domains],
    genericPlan: true,
  })
  return new Map(rows.map(row => [row.domain, row]))
}
