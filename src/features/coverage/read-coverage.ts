/** What is read of each market, and how current it is. */
import { markets } from '../../core/markets.ts'
import { publishedFieldNames } from '../../core/published-fields.ts'
import type { Database } from '../../database/open.ts'
import { truthStateOf } from '../truth-state.ts'
import { readPeriods, readStreams, type StreamRow, writeMarketDays } from './coverage-store.ts'
import { type Coverage, type CoveredMarket, type CoveredStream, marketStates } from './schemas.ts'

type MarketState = (typeof marketStates)[number]

const historyDays = 90
const dayMs = 86_400_000

export async function readCoverage(database: Database, now: Date): Promise<Coverage> {
  const dayOf = (daysAgo: number) => new Date(now.getTime() - daysAgo * dayMs).toISOString().slice(0, 10)
  const [streams, periods] = await Promise.all([
    readStreams(database),
    readPeriods(database, { from: dayOf(historyDays), to: dayOf(0) }),
  ])
  const covered = describeMarkets(streams, now)
  const live = covered.filter(each => each.state === 'live').length
  return {
    as_of: now.toISOString(),
    share_live: Math.round((live / covered.length) * 1_000) / 1_000,
    markets: covered,
    history: {
      since: periods.map(each => each.from).toSorted()[0] ?? null,
      periods: periods.map(period => ({ ...period, state: period.state as MarketState })),
    },
  }
}

function describeMarkets(streams: readonly StreamRow[], now: Date): CoveredMarket[] {
  const byMarket = Map.groupBy(streams, stream => stream.market)
  return markets.map(({ code, name, regulator }) => {
    const own = byMarket.get(code) ?? []
    const states: readonly MarketState[] = own
      .map(stream => stateOf(stream, now))
      .filter(state => state !== 'not_covered')
    const published = new Set(own.flatMap(stream => stream.publishes))
    return {
      market: code,
      name,
      regulator,
      state: marketStates.toReversed().find(state => states.includes(state)) ?? 'not_covered',
      not_published: own.length === 0 ? [] : publishedFieldNames.filter(field => !published.has(field)),
      streams: own.map(stream => describeStream(stream, now)),
    }
  })
}

const truthOf = (row: StreamRow, now: Date) =>
  truthStateOf(
    {
      isQuarantined: row.is_quarantined,
      last_confirmed_at: row.last_confirmed_at,
      cadenceHours: row.cadence_hours,
    },
    now,
  )

function stateOf(row: StreamRow, now: Date): MarketState {
  const truth = truthOf(row, now)
  if (truth !== 'confirmed') return truth
  return row.is_watched ? 'live' : 'loaded_from_files'
}

function describeStream(row: StreamRow, now: Date): CoveredStream {
  const { stream, kind, layout, layout_recorded_at, official_url, rows, hold_reasons, publishes } = row
  return {
    stream,
    kind,
    layout,
    layout_recorded_at,
    official_url,
    cadence: { words: row.cadence_words, hours: row.cadence_hours },
    rows,
    last_confirmed_at: row.last_confirmed_at?.toISOString() ?? null,
    last_changed_at: row.last_changed_at?.toISOString() ?? null,
    last_probed_at: row.last_probed_at?.toISOString() ?? null,
    is_fetched: row.is_watched,
    truth_state: truthOf(row, now),
    hold_reasons,
    problems: row.problems,
    layout_changes: row.layout_changes,
    publishes,
  }
}

/** Records today's state of the markets of which a stream was read. */
export async function recordCoverage(database: Database, now: Date): Promise<void> {
  const covered = describeMarkets(await readStreams(database), now).filter(
    each => each.state !== 'not_covered',
  )
  const days = covered.map(({ market, state, streams }) => ({
    market,
    state,
    rows: streams.reduce((sum, stream) => sum + stream.rows, 0),
  }))
  await writeMarketDays(database, now.toISOString().slice(0, 10), days)
}
