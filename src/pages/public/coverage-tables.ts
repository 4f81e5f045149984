import type { Coverage, CoveredMarket, CoveredStream } from '../../features/coverage/index.ts'
import {
  agedState,
  type Column,
  defineTable,
  facts,
  fileOnly,
  number,
  regimeLine,
  sourceBadge,
  sourceWords,
  time,
} from '../components/index.ts'
import { type Html, html } from '../html.ts'

type State = CoveredMarket['state']

export const shownStates = [
  'live',
  'loaded_from_files',
  'stale',
  'held',
  'not_covered',
] as const satisfies State[]

/** Limits the days of the history on the page. The JSON has all days. */
export const periodsShownMax = 30

export type CoverageFilters = { state: State | null; name: string }

export type Source = CoveredStream & { of: CoveredMarket; state: State }

/** What the page shows: the coverage, of which the filters choose sources. */
export type ShownCoverage = { coverage: Coverage; filters: CoverageFilters }

export function sourcesOf({ markets }: Pick<Coverage, 'markets'>): Source[] {
  const sources = markets.flatMap(market =>
    market.streams.map(stream => ({ ...stream, of: market, state: sourceStateOf(stream) })),
  )
  return sources.toSorted((a, b) => Number(isUnread(a)) - Number(isUnread(b)))
}

function sourceStateOf({
  truth_state: truth,
  is_fetched: isFetched,
}: Pick<CoveredStream, 'truth_state' | 'is_fetched'>): State {
  if (truth !== 'confirmed') return truth
  return isFetched ? 'live' : 'loaded_from_files'
}

export const matches = (name: string, texts: readonly string[]) =>
  texts.some(text => text.toLowerCase().includes(name.toLowerCase()))

export function shownSources({ coverage, filters: { state, name } }: ShownCoverage): Source[] {
  return sourcesOf(coverage).filter(
    each =>
      (state === null || each.state === state) &&
      matches(name, [each.stream, each.of.market, each.of.name, each.of.regulator]),
  )
}

export const isFiltered = ({ filters: { state, name } }: ShownCoverage) => state !== null || name !== ''
export const isUnread = ({ state }: Source) => state === 'not_covered'

const shownStateOf = ({ state, is_fetched: isFetched }: Source) => agedState(state, isFetched)

export const sourceColumns: readonly Column<Source>[] = [
  { name: 'Market and source', cell: sourceCell, key: 'market', value: row => row.of.name },
  ...fileOnly('stream', 'kind', 'official_url', 'last_changed_at'),
  { name: 'State', cell: row => sourceBadge(shownStateOf(row)), key: 'state', value: shownStateOf },
  { name: 'Rows', cell: row => (row.rows === 0 ? '' : number(row.rows)), key: 'rows', isNumber: true },
  { name: 'Last confirmed', cell: row => time(row.last_confirmed_at), key: 'last_confirmed_at' },
  { name: 'Layout', cell: row => row.layout, key: 'layout' },
  {
    name: 'From',
    cell: ({ official_url: url }) =>
      url !== null && html`<a href="${url}" rel="noreferrer">Official source</a>`,
  },
]

export const sourceTable = defineTable<ShownCoverage, Source>('sources', shown => ({
  name: 'Sources that are read',
  columns: sourceColumns,
  rows: shownSources(shown).filter(each => isFiltered(shown) || !isUnread(each)),
}))

export const unreadTable = defineTable<ShownCoverage, Source>('unread', shown => ({
  name: 'Sources that are not read yet',
  columns: sourceColumns,
  rows: shownSources(shown).filter(isUnread),
}))

/** Shows a source. Its name opens the details. */
function sourceCell(source: Source): Html {
  const { of, stream, official_url: url } = source
  const reasons = [...new Set([...source.hold_reasons, ...source.problems, ...source.layout_changes])]
  return html`<details><summary><b>${sourceWords(stream, of.name)}</b></summary>
${facts(detailsOf(source))}
${url !== null && html`<p class="hint"><a href="${url}" rel="noreferrer">${url}</a></p>`}</details>
${reasons.length > 0 && html`<p class="hint">${reasons.join('; ')}</p>`}`
}

function detailsOf(source: Source) {
  const { of, cadence, publishes, layout_recorded_at: recordedAt, kind } = source
  return {
    regulator: of.regulator,
    kind: kind.replaceAll('_', ' '),
    changes: cadence.words,
    fields_published: publishes.join(', ') || null,
    not_published: notCovered(source, of.not_published),
    not_read: notCovered(source, of.not_read),
    read: source.is_fetched ? 'fetched automatically' : 'loaded by hand',
    layout: recordedAt === null ? 'described from documents' : `recorded from a file of ${recordedAt}`,
    compared_with: source.compared_with ?? 'no official file was available',
    last_changed: source.last_changed_at,
    address_probed: source.last_probed_at ?? 'never',
    ...(source.known_obstacle && { known_obstacle: obstacleOf(source.known_obstacle) }),
  }
}

function notCovered({ of }: Source, fields: readonly string[]): string {
  if (of.streams.every(each => each.last_confirmed_at === null)) return 'not known before it is read'
  return fields.join(', ') || 'nothing'
}

export const obstacleOf = (known: Source['known_obstacle']): string | null =>
  known === null ? null : `${known.found} (${known.source}, ${known.on})`

type HalfName = 'licensees' | 'blocklist'

/** Returns the state of a market's sources of licensees, or of its blocklists. */
function halfState(market: CoveredMarket, name: HalfName) {
  const half = market[name]
  const without = name === 'licensees' ? 'blocklist' : 'register'
  const isFetched = market.streams.some(({ kind, is_fetched }) => kind !== without && is_fetched)
  return half === null ? null : agedState(half.state, isFetched)
}

function halfColumn(name: HalfName, shown: string): Column<CoveredMarket> {
  const cell = (row: CoveredMarket) => {
    const state = halfState(row, name)
    return state === null ? html`<span class="hint">none known</span>` : sourceBadge(state)
  }
  return { name: shown, cell, key: name, value: row => halfState(row, name) ?? 'none', isFacet: true }
}

function layoutOf({ licensees, blocklist }: CoveredMarket): string {
  const layouts = [licensees, blocklist].flatMap(half => half?.layout ?? [])
  if (layouts.length === 0) return ''
  return layouts.every(each => each === 'recorded')
    ? 'seen'
    : layouts.includes('recorded')
      ? 'seen in part'
      : 'not seen'
}

/** Returns when the oldest rows in use were confirmed. */
const oldestOf = ({ licensees, blocklist }: CoveredMarket) =>
  [licensees, blocklist].flatMap(half => half?.last_confirmed_at ?? []).toSorted()[0] ?? null

const inForce = ({ regimes }: CoveredMarket, day: string) =>
  regimes.filter(({ from, to }) => from <= day && (to === null || day <= to))

export const marketTable = defineTable<ShownCoverage, CoveredMarket>('markets', ({ coverage, filters }) => {
  const day = coverage.as_of.slice(0, 10)
  const { state, name } = filters
  return {
    name: 'Markets',
    columns: [
      {
        name: 'Market',
        cell: row => html`<a href="/coverage/${row.market}">${row.name}</a>`,
        key: 'market',
      },
      halfColumn('licensees', 'Licensees'),
      halfColumn('blocklist', 'Blocklist'),
      {
        name: 'Regime',
        cell: row => inForce(row, day).map(each => html`<div>${regimeLine(each)}</div>`),
        key: 'regime',
        value: row =>
          inForce(row, day)
            .map(each => each.state)
            .join(' '),
      },
      { name: 'Official layout', cell: layoutOf, key: 'layout', value: layoutOf, isFacet: true },
      {
        name: 'Oldest confirmation',
        cell: row => time(oldestOf(row)),
        key: 'last_confirmed_at',
        value: oldestOf,
      },
    ],
    rows: coverage.markets.filter(
      each =>
        (state === null || each.state === state) && matches(name, [each.market, each.name, each.regulator]),
    ),
  }
})

type Period = Coverage['history']['periods'][number] & { state: 'stale' | 'held' }

/** Returns the periods that were not good, the latest first. */
export const badPeriods = ({ history }: Coverage): Period[] =>
  history.periods.filter((each): each is Period => each.state === 'stale' || each.state === 'held')

export const historyTable = defineTable<ShownCoverage, Period>('history', ({ coverage }) => {
  const marketNameOf = (code: string) => coverage.markets.find(each => each.market === code)?.name ?? code
  const periods = badPeriods(coverage)
  return {
    name: 'Days on which a market was stale or in review',
    columns: [
      { name: 'From (UTC)', cell: row => row.from, key: 'from' },
      { name: 'To', cell: row => row.to, key: 'to' },
      { name: 'Market', cell: row => marketNameOf(row.market), key: 'market' },
      { name: 'State', cell: row => sourceBadge(row.state), key: 'state', isFacet: true },
    ],
    rows: periods.slice(0, periodsShownMax),
    isPart: periods.length > periodsShownMax,
  }
})

/** The tables of the page, for files. */
export const coverageTables = [sourceTable, unreadTable, marketTable, historyTable] as const
