import type { World } from '../../database/open.ts'
import type { FirmographicsData } from './schemas.ts'

export type HeldFirmographics = { domain_id: number; fetched_at: Date; data: FirmographicsData }

/** What is held of these Domains, in no order; one of which nothing is held is left out. */
export async function readFirmographics(
  world: World,
  domainIds: readonly number[],
): Promise<Map<number, HeldFirmographics>> {
  if (domainIds.length === 0) return new Map()
  const rows = await world.read<HeldFirmographics>({
    name: 'held_firmographics',
    text: `
      select domain_id, fetched_at, data
        from firmographics
       where domain_id = any ($1::bigint[])`,
    values: [domainIds],
    anyValue: true,
  })
  return new Map(rows.map(row => [row.domain_id, row]))
}
