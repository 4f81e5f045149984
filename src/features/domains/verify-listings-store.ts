import { sql } from 'kysely'
import type { Database } from '../../database/open.ts'
import { listingsOf } from './listings-store.ts'

type CountDifference = { verdict: string; geo: string; stored: number | null; counted: number | null }
type ListingDifference = {
  verdict: string
  geo: string
  domain: string
  stored: unknown
  derived: unknown
}

const differencesShownMax = 20

export async function verifyListings(database: Database): Promise<(CountDifference | ListingDifference)[]> {
  return [...(await wrongListings(database)), ...(await wrongCounts(database))]
}

async function wrongListings(database: Database): Promise<ListingDifference[]> {
  const { rows } = await sql<ListingDifference>`
    select verdict, geo, domain,
           json_build_array(listed.domain_id, listed.told, listed.platform_id, listed.listed_since) as stored,
           json_build_array(expected.domain_id, expected.members, expected.platform_id,
                            expected.listed_since) as derived
      from domain_listings listed
      full join (${listingsOf(sql`true`)}) expected using (verdict, geo, first_seen_at, domain)
     where (listed.domain_id, listed.told, listed.platform_id, listed.listed_since)
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
