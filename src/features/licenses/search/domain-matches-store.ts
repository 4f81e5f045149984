import type { World } from '../../../database/open.ts'
import { reviewedBrandStream } from '../../../journal/index.ts'

export const domainMatchBases = ['regulator_published', 'site_corroborated', 'both'] as const
export type DomainMatchBasis = (typeof domainMatchBases)[number]

export type DomainMatches = ReadonlyMap<number, DomainMatchBasis>

/**
 * Finds the licenses of a domain: licenses whose register lists the domain, and licenses of a Company that
 * another source names for it. Of such a Company, only licenses without listed domains count: a register
 * that lists other domains excludes this domain.
 */
export async function readDomainMatches(world: World, domain: string): Promise<DomainMatches> {
  const rows = await world.read<{ license_id: number; basis: DomainMatchBasis }>({
    name: 'license_domain_matches',
    text: `
      with site as materialized (
        select id from domains where domain = $1
      ),
      published as materialized (
        select distinct authorisation.license_id
          from site
          join authorisations authorisation on authorisation.domain_id = site.id
         where authorisation.known_to is null
           and authorisation.counts
           and authorisation.stream <> '${reviewedBrandStream}'
           and authorisation.license_id is not null
      ),
      behind as materialized (
        select distinct link.company_id
          from site
          join domain_companies link on link.domain_id = site.id and link.known_to is null
         where not exists (
                 select from register_streams source
                  where source.stream = link.stream and 'register' = any (source.covers)
               )
      ),
      matched as (
        select license.id,
               case
                 when exists (select from behind where behind.company_id = license.company_id) then 'both'
                 else 'regulator_published'
               end as basis
          from published
         cross join lateral (select * from licenses where id = published.license_id offset 0) license
        union all
        select license.id, 'site_corroborated'
          from behind
         cross join lateral (select * from licenses where company_id = behind.company_id offset 0) license
         where not exists (
                 select from authorisations listed
                  where listed.license_id = license.id and listed.known_to is null
                    and listed.stream <> '${reviewedBrandStream}'
               )
      )
      select matched.id as license_id, matched.basis
        from matched
       where exists (
               select from license_states state
                where state.license_id = matched.id and state.known_to is null
             )`,
    values: [domain],
    genericPlan: true,
  })
  return new Map(rows.map(({ license_id, basis }) => [license_id, basis]))
}
