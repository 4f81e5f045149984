/**
 * Which Signals stand on a page. A feed is oldest first by number, and a page is cut from ranges of indexes: for each
 * stream and event type that has any (signal_totals), its own range, so that no Signal of another kind is passed over,
 * however deep the page. With days, signal_counts bounds each range. One row more than the largest page tells whether there
 * is a next one. The Signals themselves are then looked up by number, in laterals that no planner can turn into a join.
 */
import type { PreparedRead, World } from '../../database/open.ts'
import { type DayClauses, type Days, dayClauses } from './days-store.ts'
import { pageSizeMax } from './feed-schemas.ts'
import {
  capturesOfPlatform,
  readSource,
  registersOfMarket,
  type SourceRow,
  streamsOfMarket,
} from './sources-store.ts'
import type { SourceState } from './truth-state.ts'

export type FeedRow = { number: number }
export type FeedPage<Row extends FeedRow> = { rows: Row[]; total: number; sources: SourceState[] }

const rowsMax = pageSizeMax + 1

const ofTotal = `counted.feed = total.feed
                and counted.market = total.market
                and counted.stream = total.stream
                and counted.event_type = total.event_type
                and counted.platform_id = total.platform_id`

/** Ranges by kind: of the totals, or of the days asked for. `kind` bounds the kinds, by columns that both tables have. */
function rangesOf(kind: (table: string) => string, days: DayClauses): string {
  if (days.variant === '') {
    return `
      select total.stream, total.event_type, total.signals, total.first_number, total.last_number
        from signal_totals total
       where ${kind('total')}`
  }
  return `
      select total.stream, total.event_type, day.signals, day.first_number, day.last_number
        from signal_totals total
       cross join lateral (
         select sum(part.signals)::bigint as signals, min(part.first_number) as first_number,
                max(part.last_number) as last_number
           from (
             select counted.signals, counted.first_number, counted.last_number
               from signal_counts counted
              where ${ofTotal}
                ${days.ofDay}
             union all
             select counted.signals, counted.first_number, counted.last_number
               from signal_months counted
              where ${ofTotal}
                ${days.ofMonth}
           ) part
       ) day
       where ${kind('total')}
         and day.signals is not null`
}

/** The page and its total, the Signals in the columns of `told`; `sources` stand in the first row alone. */
function pageText(ranges: string, page: string, told: string, sources: string): string {
  return `
    with ranges as materialized (${ranges}
    ),
    page as materialized (${page}
    )
    select counted.total,
           case when row_number() over (order by told.number) = 1 then ${sources}
           end as sources,
           told.*
      from (select coalesce(sum(signals), 0)::bigint as total from ranges) counted
      left join lateral (${told}
      ) told on true
     order by told.number`
}

type Counted = { total: number; sources: SourceRow[] | null; number: number | null }

async function readPage<Row extends FeedRow>(world: World, statement: PreparedRead): Promise<FeedPage<Row>> {
  const rows = await world.read<Counted>(statement)
  return {
    total: rows[0]?.total ?? 0,
    sources: (rows[0]?.sources ?? []).map(readSource),
    rows: rows.filter(row => row.number !== null) as (Row & Counted)[],
  }
}

export type RegisterFilters = {
  market: string
  stream: string | null
  /** null: every type. */
  eventTypes: readonly string[] | null
  publishedLegalName: string | null
}

/** A page of the register feed, with the columns that `told` names. */
export function readRegisterPage<Row extends FeedRow>(
  world: World,
  filters: RegisterFilters,
  after: number,
  days: Days | null,
  told: string,
): Promise<FeedPage<Row>> {
  const { market, stream, eventTypes, publishedLegalName: name } = filters
  const values = [market, stream, eventTypes, after]
  if (name !== null) {
    const clauses = dayClauses(days, values.length + 1)
    return readPage(world, {
      name: `register_changes_of_name${clauses.variant}`,
      text: pageText(namedSignals(clauses), namedPage, told, streamsOfMarket),
      values: [...values, name, ...clauses.days],
    })
  }
  const clauses = dayClauses(days, values.length)
  const kind = (table: string) =>
    `${table}.feed = 'register_changes' and ${table}.market = $1
         and ($2::text is null or ${table}.stream = $2)
         and ($3::text[] is null or ${table}.event_type = any ($3))`
  const page = `
      select found.number
        from ranges
       cross join lateral (
         select signals.number
           from signals
          where signals.stream = ranges.stream
            and signals.event_type = ranges.event_type
            and signals.number > greatest($4::bigint, ranges.first_number - 1)
            and signals.number <= ranges.last_number
            ${clauses.ofSignal}
          order by signals.number
          limit ${rowsMax}
       ) found
       order by found.number
       limit ${rowsMax}`
  return readPage(world, {
    name: `register_changes${clauses.variant}`,
    text: pageText(rangesOf(kind, clauses), page, told, streamsOfMarket),
    values: [...values, ...clauses.days, ...clauses.months],
  })
}

/** No counter is kept for names: one has few Signals, and they are counted. */
function namedSignals(clauses: DayClauses): string {
  return `
      select signals.number, 1 as signals
        from signals
       where signals.market = $1
         and signals.published_legal_name = $5
         and ($2::text is null or signals.stream = $2)
         and ($3::text[] is null or signals.event_type = any ($3))
         ${clauses.ofSignal}`
}

const namedPage = `
      select number from ranges where number > $4::bigint order by number limit ${rowsMax}`

/** A page of a feed whose Signals have an index of their own, as `condition` bounds it by $1. */
function ownIndexPage(condition: string, clauses: DayClauses): string {
  return `
      select found.number
        from (select min(first_number) as first_number, max(last_number) as last_number from ranges) bounds
       cross join lateral (
         select signals.number
           from signals
          where ${condition}
            and signals.number > greatest($2::bigint, bounds.first_number - 1)
            and signals.number <= bounds.last_number
            ${clauses.ofSignal}
          order by signals.number
          limit ${rowsMax}
       ) found`
}

export function readMarketPage<Row extends FeedRow>(
  world: World,
  market: string,
  after: number,
  days: Days | null,
  told: string,
): Promise<FeedPage<Row>> {
  const clauses = dayClauses(days, 2)
  const kind = (table: string) => `${table}.feed = 'market_entries' and ${table}.market = $1`
  return readPage(world, {
    name: `market_entries${clauses.variant}`,
    text: pageText(
      rangesOf(kind, clauses),
      ownIndexPage('signals.market = $1 and signals.is_market_entry', clauses),
      told,
      registersOfMarket,
    ),
    values: [market, after, ...clauses.days, ...clauses.months],
  })
}

export function readPlatformPage<Row extends FeedRow>(
  world: World,
  platformId: number,
  after: number,
  days: Days | null,
  told: string,
): Promise<FeedPage<Row>> {
  const clauses = dayClauses(days, 2)
  const kind = (table: string) => `${table}.feed = 'platform_sites' and ${table}.platform_id = $1::bigint`
  return readPage(world, {
    name: `platform_sites${clauses.variant}`,
    text: pageText(
      rangesOf(kind, clauses),
      ownIndexPage('signals.platform_id = $1::bigint', clauses),
      told,
      capturesOfPlatform,
    ),
    values: [platformId, after, ...clauses.days, ...clauses.months],
  })
}
