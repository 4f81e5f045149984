/**
 * Each stream and event type (signal_totals) has its own index range, so a deep page skips no other Signals.
 * With days, signal_counts bounds the ranges. `offset 0` prevents a join in the lookups by number.
 */
import type { PreparedRead, World } from '../../database/open.ts'
import { type DayClauses, type Days, dayClauses } from './days-store.ts'
import { pageSizeMax } from './feed-schemas.ts'
import {
  capturesOfPlatform,
  entrySourcesOfMarket,
  readSource,
  type SourceRow,
  streamsOfMarket,
} from './sources-store.ts'
import type { SourceState } from './truth-state.ts'

/** Corrections and Signals of a backfill are free. */
export type FeedRow = { number: number; correction_of: string | null; is_backfill?: boolean }
export type PagePosition = { after: number; days: Days | null }
export type FeedPage<Row extends FeedRow> = { rows: Row[]; total: number; sources: SourceState[] }

const rowsMax = pageSizeMax + 1

const ofTotal = `counted.feed = total.feed
                and counted.market = total.market
                and counted.stream = total.stream
                and counted.event_type = total.event_type
                and counted.platform_id = total.platform_id`

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

type PageParts = { ranges: string; page: string; signals: string; sources: string }

/** Only the first row has `sources`. */
function pageText({ ranges, page, signals, sources }: PageParts): string {
  return `
    with ranges as materialized (${ranges}
    ),
    page as materialized (${page}
    )
    select counted.total,
           case when row_number() over (order by signal.number) = 1 then ${sources}
           end as sources,
           signal.*
      from (select coalesce(sum(signals), 0)::bigint as total from ranges) counted
      left join lateral (${signals}
      ) signal on true
     order by signal.number`
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
  eventTypes: readonly string[] | null
  publishedLegalName: string | null
}

export function readRegisterPage<Row extends FeedRow>(
  world: World,
  filters: RegisterFilters,
  { after, days }: PagePosition,
  signals: string,
): Promise<FeedPage<Row>> {
  const { market, stream, eventTypes, publishedLegalName: name } = filters
  const values = [market, stream, eventTypes, after]
  if (name !== null) {
    const clauses = dayClauses(days, values.length + 1)
    return readPage(world, {
      name: `register_changes_of_name${clauses.variant}`,
      text: pageText({ ranges: namedSignals(clauses), page: namedPage, signals, sources: streamsOfMarket }),
      values: [...values, name, ...clauses.days],
    })
  }
  const clauses = dayClauses(days, values.length)
  const kind = (table: string) =>
    `${table}.feed = 'register_changes' and ${table}.market = $1
         and ($2::text is null or ${table}.stream = $2)
         and ($3::text[] is null or ${table}.event_type = any ($3))`
  const page = `
      select matching.number
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
       ) matching
       order by matching.number
       limit ${rowsMax}`
  return readPage(world, {
    name: `register_changes${clauses.variant}`,
    text: pageText({ ranges: rangesOf(kind, clauses), page, signals, sources: streamsOfMarket }),
    values: [...values, ...clauses.days, ...clauses.months],
  })
}

/** Names have few Signals, so there are no stored counts. */
function namedSignals(clauses: DayClauses): string {
  return `
      select signals.number, 1 as signals
        from signals
       where signals.market = $1
         and (signals.published_legal_name = $5 or signals.former_legal_name = $5)
         and ($2::text is null or signals.stream = $2)
         and ($3::text[] is null or signals.event_type = any ($3))
         ${clauses.ofSignal}`
}

const namedPage = `
      select number from ranges where number > $4::bigint order by number limit ${rowsMax}`

/** `condition` bounds the feed's own index by $1. */
function ownIndexPage(condition: string, clauses: DayClauses): string {
  return `
      select matching.number
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
       ) matching`
}

export function readMarketPage<Row extends FeedRow>(
  world: World,
  market: string,
  { after, days }: PagePosition,
  signals: string,
): Promise<FeedPage<Row>> {
  const clauses = dayClauses(days, 2)
  const kind = (table: string) => `${table}.feed = 'market_entries' and ${table}.market = $1`
  return readPage(world, {
    name: `market_entries${clauses.variant}`,
    text: pageText({
      ranges: rangesOf(kind, clauses),
      page: ownIndexPage('signals.market = $1 and signals.is_market_entry', clauses),
      signals,
      sources: entrySourcesOfMarket,
    }),
    values: [market, after, ...clauses.days, ...clauses.months],
  })
}

export function readPlatformPage<Row extends FeedRow>(
  world: World,
  platformId: number,
  { after, days }: PagePosition,
  signals: string,
): Promise<FeedPage<Row>> {
  const clauses = dayClauses(days, 2)
  const kind = (table: string) => `${table}.feed = 'platform_sites' and ${table}.platform_id = $1::bigint`
  return readPage(world, {
    name: `platform_sites${clauses.variant}`,
    text: pageText({
      ranges: rangesOf(kind, clauses),
      page: ownIndexPage('signals.platform_id = $1::bigint', clauses),
      signals,
      sources: capturesOfPlatform,
    }),
    values: [platformId, after, ...clauses.days, ...clauses.months],
  })
}
