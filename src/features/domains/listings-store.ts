import { type RawBuilder, sql } from 'kysely'
import type { Transaction } from '../../database/open.ts'

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
      insert into domain_listings (verdict, geo, first_seen_at, domain, domain_id, told, platform_id)
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

// The empty geo lists every domain of a verdict: one index for searches with and without geo. The condition
// is on the table itself: for a join the planner may compare each id with each domain.
export function listingsOf(which: RawBuilder<unknown>): RawBuilder<unknown> {
  const members = sql.raw(listedMembers('domain'))
  return sql`
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
     where domain.verdict <> 'no_record' and ${which}`
}
