/** What is read of each market, and how current it is. */
import { obstaclesOfMarkets, obstaclesOfStreams } from '../../core/known-obstacles.ts'
import { markets } from '../../core/markets.ts'
import { publishedFieldNames } from '../../core/published-fields.ts'
import type { Database } from '../../database/open.ts'
import { truthStateOf } from '../truth-state.ts'
import {
  type MarketPeriod,
  readPeriods,
  readStreams,
  type StreamRow,
  writeMarketDays,
} from './coverage-store.ts'
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
      ...recordedDays(periods, dayOf(0)),
      periods: periods.map(period => ({ ...period, state: period.state as MarketState })),
    },
  }
}

function describeMarkets(streams: readonly StreamRow[], now: Date): CoveredMarket[] {
  const byMarket = Map.groupBy(streams, stream => stream.market)
  return markets.map(({ code, name, regulator }) => {
    const own = byMarket.get(code) ?? []
    const read = own.filter(stream => stream.last_confirmed_at !== null)
    const published = new Set(read.flatMap(stream => stream.publishes))
    return {
      market: code,
      name,
      regulator,
      state: worstOf(own.map(stream => stateOf(stream, now))),
      not_published: own.length === 0 ? [] : publishedFieldNames.filter(field => !published.has(field)),
      streams: own.map(stream => describeStream(stream, now)),
      known_obstacle: own.length === 0 ? (obstaclesOfMarkets[code] ?? null) : null,
    }
  })
}

/** A market of which some sources were read, and others never, is not current. */
function worstOf(states: readonly MarketState[]): MarketState {
  const ofRead = states.filter(state => state !== 'not_covered')
  if (ofRead.length === 0) return 'not_covered'
  const all = ofRead.length < states.length ? [...ofRead, 'stale'] : ofRead
  return marketStates.toReversed().find(state => all.includes(state)) ?? 'not_covered'
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
  if (!row.is_watched || !row.was_fetched) return 'loaded_from_files'
  return row.failures === 0 ? 'live' : 'stale'
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
    records_in_force: row.records_in_force,
    last_confirmed_at: row.last_confirmed_at?.toISOString() ?? null,
    last_changed_at: row.last_changed_at?.toISOString() ?? null,
    last_probed_at: row.last_probed_at?.toISOString() ?? null,
    is_fetched: row.is_watched,
    truth_state: truthOf(row, now),
    state: stateOf(row, now),
    hold_reasons,
    problems: problemsOf(row),
    layout_changes: row.layout_changes,
    publishes,
    known_obstacle:
      row.last_probed_at === null && !row.was_fetched ? (obstaclesOfStreams[stream] ?? null) : null,
  }
}

function problemsOf({ problems, is_watched, failures }: StreamRow): string[] {
  const failing =
    is_watched && failures > 0 ? [`fetches without a usable file since the last good one: ${failures}`] : []
  return [...new Set([...problems, ...failing])]
}

/** The days with a record, and the others up to yesterday: the service did not run then. */
function recordedDays(periods: readonly MarketPeriod[], today: string) {
  const recorded = new Set<string>()
  for (const { from, to } of periods) for (const day of daysBetween(from, to)) recorded.add(day)
  const first = [...recorded].toSorted()[0]
  const gaps: { from: string; to: string }[] = []
  for (const day of first === undefined ? [] : daysBetween(first, today)) {
    if (recorded.has(day) || day === today) continue
    const last = gaps.at(-1)
    if (last !== undefined && dayAfter(last.to) === day) last.to = day
    else gaps.push({ from: day, to: day })
  }
  return { since: first ?? null, days_recorded: recorded.size, gaps }
}

const dayAfter = (day: string) => new Date(Date.parse(day) + dayMs).toISOString().slice(0, 10)

function* daysBetween(from: string, to: string): Generator<string> {
  for (let day = from; day <= to; day = dayAfter(day)) yield day
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
