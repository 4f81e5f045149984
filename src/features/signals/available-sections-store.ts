import type { World } from '../../database/open.ts'

/** The paid sections of §4.1, which are resolved by themselves. */
export const sections = ['firmographics', 'contacts'] as const
export type Section = (typeof sections)[number]

type Held = { company_id: number; firmographics: boolean; contacts: boolean }

/** What Company search tells of these Companies, or of those that they were merged into. */
export async function readAvailableSections(
  world: World,
  companyIds: readonly number[],
): Promise<Map<number, Section[]>> {
  const rows = await world.read<Held>({
    name: 'held_sections',
    text: `
      select named.id as company_id,
             (kept.hit ->> 'firmographics_available')::boolean as firmographics,
             (kept.hit ->> 'contacts_available')::boolean as contacts
        from companies named
        join company_search kept on kept.id = coalesce(named.merged_into, named.id)
       where named.id = any ($1::bigint[])`,
    values: [companyIds],
    genericPlan: true,
  })
  return new Map(rows.map(row => [row.company_id, sections.filter(section => row[section])]))
}
