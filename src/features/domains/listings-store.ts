import { type RawBuilder, sql } from 'kysely'
import { differencesShownMax } from '../../core/verification.ts'
import type { Database, Transaction, World } from '../../database/open.ts'

/**
 * Selects the start of a domain's latest listing by a regulator, or by any if the geo is `''`; null if
 * never listed. Entries of one site are one listing if they overlap, or replace each other between two
 * snapshots or on the register's own dates (contract section 13, "Windows of domain search"). All
 * parameters are SQL.
 */
export const listedSince = (domainId: string, geo: string, entries = 'blocklist_entries') => `(
  select max(entry.first_seen_at) filter (
           where coalesce(entry.first_seen_at > entry.listed_until, true)
             and coalesce(entry.listed_at > entry.deleted_at, true)
         )
    from (
      select spelling.first_seen_at,
             spelling.listed_at,
             max(case
                   when spelling.listed then 'infinity'
                   else coalesce(spelling.missing_at, spelling.last_seen_at)
                 end) over earlier as listed_until,
             max(spelling.delisted_at) filter (where not spelling.listed) over earlier as deleted_at
        from ${entries} spelling
       where spelling.domain_id = ${domainId}
         and spelling.scope = 'domain'
         and (spelling.known_to is null or not spelling.listed)
         and (${geo} = '' or spelling.regulator = ${geo})
      window earlier as (
        order by spelling.first_seen_at, spelling.listed_at, spelling.delisted_at, spelling.missing_at,
                 spelling.stream, spelling.record_key, spelling.known_from
          rows between unbounded preceding and 1 preceding
      )
    ) entry
)`

/** Writes a row of `domains` as JSON members. Domains and codes need no escaping; the lists are JSON. */
export const listedMembers = (domain: string) =>
  `'"domain":"' || ${domain}.domain || '","verdict":"' || ${domain}.verdict
    || '","licensed_by":' || ${domain}.licensed_by || ',"blocked_by":' || ${domain}.blocked_by`

/**
 * Replaces the listings of these domains. Two statements are needed: in one, new rows would conflict with
 * those being deleted.
 */
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
      insert into domain_listings (verdict, geo, first_seen_at, domain, domain_id, members, platform_id,
                                   listed_since)
      ${listingsOf(sql`domain.id = any (${ids}::bigint[])`)}
      returning verdict, geo
    )
    ${countSteps(1, sql`added`)}`.execute(tx)
}

/** Adds to the counters of domains in one fixed order, to avoid deadlocks. */
export function countSteps(step: 1 | -1, listings: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`
    insert into domain_counts (verdict, geo, domains)
    select verdict, geo, ${sql.lit(step)} * count(*)
      from ${listings}
     group by verdict, geo
     order by verdict, geo
    on conflict (verdict, geo) do update set domains = domain_counts.domains + excluded.domains`
}

/** Returns the `ids` whose stored listings start at another time than the facts say. */
export async function withMovedListings(tx: Transaction, ids: number[]): Promise<number[]> {
  const { rows } = await sql<{ domain_id: number }>`
    select distinct listing.domain_id
      from domain_listings listing
     where listing.domain_id = any (${ids}::bigint[])
       and listing.listed_since is distinct from ${sinceOf('listing.domain_id', 'listing')}`.execute(tx)
  return rows.map(row => row.domain_id)
}

/** Selects `listed_since`, which is null for licensed domains, because no blocklist has them. */
const sinceOf = (domainId: string, listing: string) =>
  sql.raw(`case when ${listing}.verdict <> 'licensed' then ${listedSince(domainId, `${listing}.geo`)} end`)

// Selects the listings of domains. The empty geo lists every domain, so that one index serves all searches.
// The condition is on the table itself, because with a join the planner may compare every pair.
function listingsOf(which: RawBuilder<unknown>): RawBuilder<unknown> {
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

type CountDifference = { verdict: string; geo: string; stored: number | null; counted: number | null }
type ListingDifference = {
  verdict: string
  geo: string
  domain: string
  stored: unknown
  derived: unknown
}

export async function verifyListings(database: Database): Promise<(CountDifference | ListingDifference)[]> {
  return [...(await wrongListings(database)), ...(await wrongCounts(database))]
}

async function wrongListings(database: Database): Promise<ListingDifference[]> {
  const { rows } = await sql<ListingDifference>`
    select verdict, geo, domain,
           json_build_array(listed.domain_id, listed.members, listed.platform_id,
                            listed.listed_since) as stored,
           json_build_array(expected.domain_id, expected.members, expected.platform_id,
                            expected.listed_since) as derived
      from domain_listings listed
      full join (${listingsOf(sql`true`)}) expected using (verdict, geo, first_seen_at, domain)
     where (listed.domain_id, listed.members, listed.platform_id, listed.listed_since)
           is distinct from
           (expected.domain_id, expected.members, expected.platform_id, expected.listed_since)
     limit ${differencesShownMax}`.execute(database)
  return rows
}

async function wrongCounts(database: Database): Promise<CountDifference[]> {
  const { rows } = await sql<CountDifference>`
    with counted as (
      select verdict, geo, count(*) as domains from domain_listings group by verdict, geo
    )
    select verdict, geo, coalesce(stored.domains, 0) as stored, coalesce(counted.domains, 0) as counted
      from domain_counts stored
      full join counted using (verdict, geo)
     where coalesce(stored.domains, 0) <> coalesce(counted.domains, 0)
     order by verdict, geo
     limit ${differencesShownMax}`.execute(database)
  return rows
}

/** Counts the domains of each verdict, in all (geo is empty) and of each market. */
export const countDomains = (world: World) =>
  world.read<{ verdict: string; geo: string; domains: number }>({
    name: 'domain_counts',
    text: 'select verdict, geo, domains::int as domains from domain_counts where domains > 0',
    values: [],
  })
