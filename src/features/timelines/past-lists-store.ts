import { sql } from 'kysely'
import type { Database, Transaction } from '../../database/open.ts'

export type PastList = {
  stream: string
  market: string
  /** A day, such as 2026-04-18. */
  listedOn: string
  fileName: string
  sha256: Buffer
  rejected: number
  /** The published text of each site, by its domain. */
  sites: ReadonlyMap<string, string>
}

/** Lets one transaction at a time load lists, so that a day is loaded once. */
export async function lockPastLists(tx: Transaction): Promise<void> {
  await sql`lock table past_lists in share row exclusive mode`.execute(tx)
}

export async function findPastList(
  tx: Transaction,
  { stream, listedOn }: Pick<PastList, 'stream' | 'listedOn'>,
) {
  const { rows } = await sql<{ id: number; sha256: Buffer }>`
    select id, sha256
      from past_lists
     where stream = ${stream} and listed_on = ${listedOn}::date and withdrawn_at is null`.execute(tx)
  return rows[0]
}

export async function insertPastList(tx: Transaction, list: PastList, now: Date): Promise<void> {
  const { stream, market, listedOn, fileName, sha256, rejected, sites } = list
  await sql`
    with loaded as (
      insert into past_lists (stream, market, listed_on, file_name, sha256, sites, rejected, loaded_at)
      values (${stream}, ${market}, ${listedOn}, ${fileName}, ${sha256}, ${sites.size}, ${rejected}, ${now})
      returning id
    )
    insert into past_listings (domain, list_id, published)
    select site.domain, loaded.id, site.published
      from loaded
     cross join unnest(${[...sites.keys()]}::text[], ${[...sites.values()]}::text[])
             as site (domain, published)`.execute(tx)
}

export async function closePastList(tx: Transaction, id: number, now: Date): Promise<void> {
  await sql`update past_lists set withdrawn_at = ${now} where id = ${id}`.execute(tx)
}

export type TimelinePeriod = {
  market: string
  stream: string
  /**
   * `register`: it licensed the site. `blocklist`: it blocked the site. `dated_lists`: lists of mirrors,
   * which license nothing today.
   */
  basis: 'register' | 'blocklist' | 'dated_lists'
  /** The first day on which it was seen. */
  from: string
  /** The last day on which it was seen; null: it is listed today. */
  to: string | null
  /** The first later list without it; null: there is none. */
  missing_on: string | null
  /** The number of lists in a row that have it; null for a register. */
  lists: number | null
}

/**
 * Reads when registers and dated lists named a site, oldest first. A period of lists ends with the last list
 * before one without the site. Between two lists nothing is known.
 */
export async function readTimeline(database: Database, domain: string): Promise<TimelinePeriod[]> {
  const { rows } = await sql<TimelinePeriod>`
    with lists as (
      select id, stream, market, listed_on,
             row_number() over (partition by stream order by listed_on) as place,
             lead(listed_on) over (partition by stream order by listed_on) as next_on
        from past_lists
       where withdrawn_at is null
    ),
    placed as (
      select lists.*, place - row_number() over (partition by stream order by listed_on) as run
        from past_listings listing
        join lists on lists.id = listing.list_id
       where listing.domain = ${domain}
    ),
    listed as (
      select authorisation.market, authorisation.stream,
             unnest(range_agg(tstzrange(
               authorisation.first_seen_at,
               case when authorisation.known_to is not null
                    then greatest(coalesce(authorisation.last_seen_at, authorisation.known_to),
                                  authorisation.first_seen_at)
               end,
               '[]'
             ))) as period
        from domains domain
        join authorisations authorisation on authorisation.domain_id = domain.id and authorisation.counts
       where domain.domain = ${domain}
       group by authorisation.market, authorisation.stream
    ),
    blocked as (
      select entry.regulator as market, entry.stream,
             unnest(range_agg(tstzrange(
               entry.listed_from,
               case when not entry.listed
                    then greatest(coalesce(entry.delisted_at, entry.last_seen_at, entry.missing_at),
                                  entry.listed_from)
               end,
               '[]'
             ))) as period
        from domains domain
        join (select *, coalesce(listed_at, first_seen_at) as listed_from from blocklist_entries) entry
          on entry.domain_id = domain.id
       where domain.domain = ${domain}
         and entry.known_to is null and entry.scope = 'domain' and not entry.withdrawn
       group by entry.regulator, entry.stream
    ),
    named as (
      select 'register' as basis, * from listed union all select 'blocklist', * from blocked
    )
    select market, stream, basis,
           to_char(lower(period) at time zone 'UTC', 'YYYY-MM-DD') as "from",
           to_char(upper(period) at time zone 'UTC', 'YYYY-MM-DD') as "to", null as missing_on, null as lists
      from named
     union all
    select market, stream, 'dated_lists', min(listed_on)::text, max(listed_on)::text,
           (array_agg(next_on order by listed_on desc))[1]::text, count(*)::int
      from placed
     group by market, stream, run
     order by "from", market, stream, basis`.execute(database)
  return rows
}
