import { type RawBuilder, sql } from 'kysely'
import type { Transaction } from '../../database/open.ts'
import { listedSince } from './listed-since-store.ts'

/** A row of `domains` as JSON members. Domains and codes need no escaping; the lists are JSON. */
export const listedMembers = (domain: string) =>
  `'"domain":"' || ${domain}.domain || '","verdict":"' || ${domain}.verdict
    || '","licensed_by":' || ${domain}.licensed_by || ',"blocked_by":' || ${domain}.blocked_by`

/** In one statement the new rows would conflict with those it deletes. */
export async function replaceListings(tx: Transaction, ids: number[]): Promise<void> {
  if (ids.length === 0) return
  await sql`
    with removed as (
      delete from domain_listings where domain_id = any (${ids}::bigint[])
      returning verdict, geo
    )
    ${countSteps(-1, sql`removed`)}`.execute(tx)
  await sql`
    with added as (
      insert into domain_listings (verdict, geo, first_seen_at, domain, domain_id, told, platform_id,
                                   listed_since)
      ${listingsOf(sql`domain.id = any (${ids}::bigint[])`)}
      returning verdict, geo
    )
    ${countSteps(1, sql`added`)}`.execute(tx)
}

/** In one order, to avoid deadlocks. */
function countSteps(step: 1 | -1, listings: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`
    insert into domain_counts (verdict, geo, domains)
    select verdict, geo, ${sql.lit(step)} * count(*)
      from ${listings}
     group by verdict, geo
     order by verdict, geo
    on conflict (verdict, geo) do update set domains = domain_counts.domains + excluded.domains`
}

/** Those of `ids` whose listings have another start than the facts; their verdict may be unchanged. */
export async function withMovedListings(tx: Transaction, ids: number[]): Promise<number[]> {
  const { rows } = await sql<{ domain_id: number }>`
    select distinct listing.domain_id
      from domain_listings listing
     where listing.domain_id = any (${ids}::bigint[])
       and listing.listed_since is distinct from ${sinceOf('listing.domain_id', 'listing')}`.execute(tx)
  return rows.map(row => row.domain_id)
}

/** A licensed domain is not listed. */
const sinceOf = (domainId: string, listing: string) =>
  sql.raw(`case when ${listing}.verdict <> 'licensed' then ${listedSince(domainId, `${listing}.geo`)} end`)

// The empty geo lists every domain of a verdict: one index for searches with and without geo. The condition
// is on the table itself: for a join the planner may compare each id with each domain.
export function listingsOf(which: RawBuilder<unknown>): RawBuilder<unknown> {
  const members = sql.raw(listedMembers('domain'))
  return sql`
    select listing.*, ${sinceOf('listing.domain_id', 'listing')} as listed_since
      from (
        select domain.verdict, '' as geo, domain.first_seen_at, domain.domain, domain.id as domain_id,
               ${members} as members, domain.platform_id
          from domains domain
         where domain.verdict <> 'no_record' and ${which}
        union all
        select domain.verdict, named.geo, domain.first_seen_at, domain.domain, domain.id, ${members},
               domain.platform_id
          from domains domain
         cross join lateral (
           select distinct element ->> 'geo' as geo
             from json_array_elements(
                    case domain.verdict when 'licensed' then domain.licensed_by else domain.blocked_by end
                  ) as element
         ) named
         where domain.verdict <> 'no_record' and ${which}
      ) listing`
}
