import { markets } from '@baize/names'
import { obstaclesOfMarkets, obstaclesOfStreams, unreadFieldsOfStreams } from '@baize/registers/entries'
import { closedObject } from '../../core/schema.ts'
import { dayMs } from '../../core/time.ts'
import type { Database } from '../../database/open.ts'
import { defineOperation } from '../operation.ts'
import { type Regime, readRegimes } from '../regimes/index.ts'
import { readRendering } from '../renderers/index.ts'
import { type PublishedField, publishedFieldNames, truthStateOf } from '../source-facts.ts'
import {
  type MarketPeriod,
  readPeriods,
  readStreams,
  type StreamRow,
  writeMarketDays,
} from './coverage-store.ts'
import example from './get-coverage.example.json' with { type: 'json' }
import {
  type Coverage,
  type CoveredMarket,
  type CoveredStream,
  coverageData,
  marketStates,
} from './schemas.ts'

export const getCoverage = defineOperation({
  name: 'get_coverage',
  method: 'GET',
  path: '/v1/coverage',
  tag: 'Coverage',
  section: '§2.2',
  summary: 'What is read of each market, and how current it is',
  description: `Every market once: which streams are read, from where and how often, how many rows they have,
when they were last confirmed, which fields they publish, what none of them publishes, and what is published
but not read. Free. The page \`/coverage\` and \`/coverage.json\` show the same without a key.

A market is \`live\` while each of its streams is fetched automatically, was confirmed recently, and its
last fetch succeeded. Otherwise the last good data stays in use, and its age and state are shown, with the
reasons.`,
  query: closedObject({}),
  data: coverageData,
  prices: [],
  failures: [],
  demo: [{ title: 'The coverage of the demo world', query: {} }],
  example,
  async quote({ world, now }) {
    const data = await readCoverage(world.replica, now)
    return { ceiling: 0, deliver: async () => ({ data, charges: [] }) }
  },
})

type MarketState = (typeof marketStates)[number]

const historyDays = 90

export async function readCoverage(database: Database, now: Date): Promise<Coverage> {
  const dayOf = (daysAgo: number) => new Date(now.getTime() - daysAgo * dayMs).toISOString().slice(0, 10)
  const [streams, regimes, rendering, periods] = await Promise.all([
    readStreams(database),
    readRegimes(database),
    readRendering(database, now),
    readPeriods(database, { from: dayOf(historyDays), to: dayOf(0) }),
  ])
  const covered = describeMarkets(streams, regimes, now)
  const live = covered.filter(each => each.state === 'live').length
  return {
    as_of: now.toISOString(),
    share_live: Math.round((live / covered.length) * 1_000) / 1_000,
    markets_with_stream: covered.filter(each => each.streams.length > 0).length,
    markets_licensing_domains: covered.filter(each => each.streams.some(canLicenseDomains)).length,
    rendering,
    markets: covered,
    history: {
      ...recordedDays(periods, dayOf(0)),
      periods: periods.map(period => ({ ...period, state: period.state as MarketState })),
    },
  }
}

function describeMarkets(
  streams: readonly StreamRow[],
  regimes: readonly Regime[],
  now: Date,
): CoveredMarket[] {
  const byMarket = Map.groupBy(streams, stream => stream.market)
  return markets.map(({ code, name, regulator }) => {
    const own = byMarket.get(code) ?? []
    const isRead = own.some(stream => stream.last_confirmed_at !== null)
    const published = new Set(own.flatMap(publishedFieldsOf))
    const given = new Set(own.flatMap(givenFieldsOf))
    const fieldsThat = (is: (field: PublishedField) => boolean) =>
      isRead ? publishedFieldNames.filter(is) : []
    return {
      market: code,
      name,
      regulator,
      state: worstOf(own.map(stream => stateOf(stream, now))),
      not_published: fieldsThat(field => !published.has(field)),
      not_read: fieldsThat(field => published.has(field) && !given.has(field)),
      licensees: halfOf(
        own.filter(({ kind }) => kind !== 'blocklist'),
        now,
      ),
      blocklist: halfOf(
        own.filter(({ kind }) => kind !== 'register'),
        now,
      ),
      streams: own.map(stream => describeStream(stream, now)),
      regimes: regimes.filter(each => each.market === code),
      known_obstacle: own.length === 0 ? (obstaclesOfMarkets[code] ?? null) : null,
    }
  })
}

/** Sums up the sources of licensees, or the blocklists, of a market. */
function halfOf(rows: readonly StreamRow[], now: Date): CoveredMarket['licensees'] {
  if (rows.length === 0) return null
  const confirmed = rows.flatMap(row => row.last_confirmed_at?.getTime() ?? [])
  return {
    sources: rows.length,
    state: worstOf(rows.map(row => stateOf(row, now))),
    layout: rows.every(({ layout }) => layout === 'recorded') ? 'recorded' : 'described',
    last_confirmed_at: confirmed.length === 0 ? null : new Date(Math.min(...confirmed)).toISOString(),
  }
}

const canLicenseDomains = ({ kind, publishes }: CoveredStream) =>
  kind !== 'blocklist' && publishes.includes('domains')

const publishedFieldsOf = ({ stream, publishes }: StreamRow): string[] => [
  ...publishes,
  ...(unreadFieldsOfStreams[stream] ?? []),
]

/** A loaded file may lack what the source publishes: a mirror's list of hosts names no holder. */
function givenFieldsOf({ publishes, figures }: StreamRow): PublishedField[] {
  if (figures === null) return []
  const hasAny = (counts: Record<string, number>, keys: readonly string[]) =>
    keys.some(key => (counts[key] ?? 0) > 0)
  const { records, filled } = figures
  const lacks: Partial<Record<PublishedField, boolean>> = {
    licenses: !hasAny(records, ['license']),
    holders: !hasAny(records, ['licensee']),
    dates: !hasAny(filled, datesFilled),
    roles: !hasAny(filled, ['license.role']),
  }
  return publishes.filter(field => lacks[field] !== true)
}

const datesFilled = [
  'license.issued_at',
  'license.expires_at',
  'blocklist_entry.listed_at',
  'blocklist_entry.delisted_at',
]

/** Returns the worst state of a market's streams. A market is stale at best if some were never read. */
function worstOf(states: readonly MarketState[]): MarketState {
  const ofRead = states.filter(state => state !== 'not_covered')
  if (ofRead.length === 0) return 'not_covered'
  const all = ofRead.length < states.length ? [...ofRead, 'stale'] : ofRead
  return marketStates.toReversed().find(state => all.includes(state)) ?? 'not_covered'
}

function stateOf(row: StreamRow, now: Date): MarketState {
  const truth = truthStateOf(row, now)
  if (truth !== 'confirmed') return truth
  if (!row.is_watched || !row.was_fetched) return 'loaded_from_files'
  return row.failures === 0 ? 'live' : 'stale'
}

function describeStream(row: StreamRow, now: Date): CoveredStream {
  const { stream, kind, layout, layout_recorded_at, compared_with, official_url, rows } = row
  return {
    stream,
    kind,
    layout,
    layout_recorded_at,
    compared_with,
    official_url,
    cadence: { words: row.cadence_words, hours: row.cadence_hours },
    rows,
    records_in_force: row.records_in_force,
    last_confirmed_at: row.last_confirmed_at?.toISOString() ?? null,
    last_changed_at: row.last_changed_at?.toISOString() ?? null,
    last_probed_at: row.last_probed_at?.toISOString() ?? null,
    is_fetched: row.is_watched,
    truth_state: truthStateOf(row, now),
    state: stateOf(row, now),
    hold_reasons: row.hold_reasons,
    problems: problemsOf(row),
    layout_changes: row.layout_changes,
    publishes: row.publishes,
    known_obstacle:
      row.last_probed_at === null && !row.was_fetched ? (obstaclesOfStreams[stream] ?? null) : null,
  }
}

function problemsOf({ problems, is_watched, failures }: StreamRow): string[] {
  const failing =
    is_watched && failures > 0 ? [`fetches without a usable file since the last good one: ${failures}`] : []
  return [...new Set([...problems, ...failing])]
}

/**
 * Counts the recorded days. Days without a record, up to yesterday, are gaps: the service did not run then.
 */
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

/** Records today's state of each market with a stream that was read. */
export async function recordCoverage(database: Database, now: Date): Promise<void> {
  const covered = describeMarkets(await readStreams(database), [], now).filter(
    each => each.state !== 'not_covered',
  )
  const days = covered.map(({ market, state, streams }) => ({
    market,
    state,
    rows: streams.reduce((sum, stream) => sum + stream.rows, 0),
  }))
  await writeMarketDays(database, now.toISOString().slice(0, 10), days)
}
