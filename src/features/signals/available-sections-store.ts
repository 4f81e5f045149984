import type { World } from '../../database/open.ts'

/** §4.1. Each is sold by its own operation. */
export const sections = ['firmographics', 'contacts'] as const
export type Section = (typeof sections)[number]

type Row = { company_id: number; firmographics: boolean; contacts: boolean }

/** A merged Company has the sections of its successor. */
export async function readAvailableSections(
  world: World,
  companyIds: readonly number[],
): Promise<Map<number, Section[]>> {
  const rows = await world.read<Row>({
    name: 'available_sections',
    text: `
      select named.id as company_id,
             (search.hit ->> 'firmographics_available')::boolean as firmographics,
             (search.hit ->> 'contacts_available')::boolean as contacts
        from companies named
        join company_search search on search.id = coalesce(named.merged_into, named.id)
       where named.id = any ($1::bigint[])`,
    values: [companyIds],
    genericPlan: true,
  })
  return new Map(rows.map(row => [row.company_id, sections.filter(section => row[section])]))
}
