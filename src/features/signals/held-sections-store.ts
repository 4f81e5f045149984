import type { World } from '../../database/open.ts'

/** The paid sections of §4.1, which are resolved by themselves. */
export const sections = ['firmographics', 'contacts'] as const
export type Section = (typeof sections)[number]

type Held = { company_id: number; firmographics: boolean; contacts: boolean }

/** What is held of these Companies, or of those that they were merged into: of their Domains, and people who can be reached. */
export async function readHeldSections(
  world: World,
  companyIds: readonly number[],
): Promise<Map<number, Section[]>> {
  const rows = await world.read<Held>({
    name: 'held_sections',
    text: `
      select asked.company_id,
             exists (
               select from domains_of_company(answering.id) own
                 join firmographics held on held.domain_id = own.domain_id
             ) as firmographics,
             exists (
               select from contacts contact
                where contact.company_id = answering.id
                  and coalesce(contact.email, contact.linkedin_url) is not null
             ) as contacts
        from unnest($1::bigint[]) as asked (company_id)
       cross join lateral (
         select coalesce(company.merged_into, company.id) as id
           from companies company
          where company.id = asked.company_id
         offset 0
       ) answering`,
    values: [companyIds],
    anyValue: true,
  })
  return new Map(rows.map(row => [row.company_id, sections.filter(section => row[section])]))
}
