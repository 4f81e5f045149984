/** What is read of each market, and how current it is. */
import { markets } from '../../core/markets.ts'
import type { Database } from '../../database/open.ts'
import { truthStateOf } from '../signals/index.ts'
import { readMarketDays, readStreams, type StreamRow, writeMarketDays } from './coverage-store.ts'

const historyDays = 90

/**
 * `live`: each of its streams is fetched automatically and was confirmed recently. The worst of several
 * streams counts.
 */
const marketStates = ['live', 'loaded_from_files', 'stale', 'held', 'not_covered'] as const
export type MarketState = (typeof marketStates)[number]

type CoveredStream = {
  stream: string
  kind: string
  rows: number
  cadence_hours: number | null
  official_url: string | null
  last_confirmed_at: string | null
  last_changed_at: string | null
  truth_state: string
  hold_reasons: string[]
}

export type CoveredMarket = {
  market: string
  name: string
  regulator: string
  state: MarketState
  streams: CoveredStream[]
}

export type Coverage = {
  as_of: string
  /** Of all markets. */
  share_live: number
  markets: CoveredMarket[]
  history: { since: string | null; days: { market: string; day: string; state: string }[] }
}

export async function readCoverage(database: Database, now: Date): Promise<Coverage> {
  const today = now.toISOString().slice(0, 10)
  const from = new Date(now.getTime() - historyDays * 86_400_000).toISOString().slice(0, 10)
  const [streams, days] = await Promise.all([readStreams(database), readMarketDays(database, from)])
  const covered = describeMarkets(streams, now)
  const live = covered.filter(each => each.state === 'live').length
  return {
    as_of: now.toISOString(),
    share_live: Math.round((live / covered.length) * 1_000) / 1_000,
    markets: covered,
    history: {
      since: days.map(each => each.day).toSorted()[0] ?? null,
      days: days.filter(each => each.day < today).map(({ market, day, state }) => ({ market, day, state })),
    },
  }
}

function describeMarkets(streams: readonly StreamRow[], now: Date): CoveredMarket[] {
  const byMarket = Map.groupBy(streams, stream => stream.market)
  return markets.map(({ code, name, regulator }) => {
    const own = byMarket.get(code) ?? []
    const states = own.map(stream => stateOf(stream, now))
    return {
      market: code,
      name,
      regulator,
      state: marketStates.toReversed().find(state => states.includes(state)) ?? 'not_covered',
      streams: own.map(stream => describeStream(stream, now)),
    }
  })
}

const truthOf = (row: StreamRow, now: Date) =>
  truthStateOf(
    {
      source_stream_key: row.stream,
      isQuarantined: row.is_quarantined,
      hold_reasons: row.hold_reasons ?? [],
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
  return {
    stream: row.stream,
    kind: row.covers.join(' and '),
    rows: row.rows,
    cadence_hours: row.cadence_hours,
    official_url: row.official_url,
    last_confirmed_at: row.last_confirmed_at?.toISOString() ?? null,
    last_changed_at: row.last_changed_at?.toISOString() ?? null,
    truth_state: truthOf(row, now),
    hold_reasons: row.is_quarantined ? (row.hold_reasons ?? []) : [],
  }
}

/** Records today's state of the markets that have a stream. */
export async function recordCoverage(database: Database, now: Date): Promise<void> {
  const covered = describeMarkets(await readStreams(database), now).filter(each => each.streams.length > 0)
  const days = covered.map(({ market, state, streams }) => ({
    market,
    state,
    rows: streams.reduce((sum, stream) => sum + stream.rows, 0),
  }))
  await writeMarketDays(database, now.toISOString().slice(0, 10), days)
}
