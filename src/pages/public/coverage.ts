import type { Coverage, CoveredMarket, CoveredStream } from '../../features/coverage/index.ts'
import {
  facts,
  field,
  figures,
  form,
  number,
  sourceBadge,
  sourceStates,
  table,
  time,
} from '../components/index.ts'
import { publicPage } from '../frame.ts'
import { type Content, type Html, html } from '../html.ts'

type State = CoveredMarket['state']

const shownStates = ['live', 'loaded_from_files', 'stale', 'held', 'not_covered'] as const satisfies State[]

/** Days of the history that are listed; the JSON has all. */
const periodsShownMax = 30

export type CoverageFilters = { state: State | null; name: string }

/** Unknown states count as none. */
export function coverageFilters({ state, name }: { state?: unknown; name?: unknown }): CoverageFilters {
  return {
    state: shownStates.find(each => each === state) ?? null,
    name: typeof name === 'string' ? name.trim() : '',
  }
}

type Source = CoveredStream & { of: CoveredMarket; state: State }

function sourcesOf({ markets }: Coverage): Source[] {
  const sources = markets.flatMap(market =>
    market.streams.map(stream => ({ ...stream, of: market, state: stateOf(stream) })),
  )
  const isUnread = ({ state }: Source) => Number(state === 'not_covered')
  return sources.toSorted((a, b) => isUnread(a) - isUnread(b))
}

function stateOf({ truth_state: truth, is_fetched: isFetched }: CoveredStream): State {
  if (truth !== 'confirmed') return truth
  return isFetched ? 'live' : 'loaded_from_files'
}

export function coveragePage(coverage: Coverage, filters: CoverageFilters): Html {
  const { markets, share_live: share } = coverage
  const sources = sourcesOf(coverage)
  const covered = markets.filter(each => each.state !== 'not_covered').length
  const rows = sources.reduce((sum, each) => sum + each.rows, 0)
  return publicPage({
    title: 'Coverage',
    body: html`<h1>Coverage</h1>
<p class="lead">What is read of each gambling market, from where and how often, and how current it is.</p>
${figures([
  { name: 'Markets of the set', value: number(markets.length) },
  { name: 'Covered', value: number(covered), hint: 'read at least once' },
  { name: 'Live', value: `${number(Math.round(share * 1_000) / 10)} %`, hint: 'of all markets' },
  { name: 'Rows in use', value: number(rows) },
])}
${filterForm(sources, filters)}
${sourceList(sources, filters)}
${marketsWithout(coverage, filters)}
${history(coverage)}
${legend(coverage)}`,
  })
}

function filterForm(sources: readonly Source[], { state, name }: CoverageFilters): Html {
  const used = shownStates.filter(each => sources.some(source => source.state === each))
  const choices = used.map(each => [each, sourceStates[each].text] as const)
  return form(
    { action: '/coverage', method: 'get', submit: 'Show', name: 'Filter the sources' },
    field(
      { problem: null },
      {
        name: 'state',
        label: 'State',
        value: state,
        choices: [['', 'all'], ...choices],
      },
    ),
    field({ problem: null }, { name: 'name', label: 'Market, regulator or source', value: name }),
    (state !== null || name !== '') && html`<a href="/coverage">Show all</a>`,
  )
}

const matches = (name: string, texts: readonly string[]) =>
  texts.some(text => text.toLowerCase().includes(name.toLowerCase()))

function sourceList(sources: readonly Source[], { state, name }: CoverageFilters): Html {
  const shown = sources.filter(
    each =>
      (state === null || each.state === state) &&
      matches(name, [each.stream, each.of.market, each.of.name, each.of.regulator]),
  )
  if (shown.length === 0) return html`<p>No source matches. <a href="/coverage">Show all</a></p>`
  const count = html`<p class="hint">${number(shown.length)} of ${number(sources.length)} sources</p>`
  if (state !== null || name !== '') return html`${count}${sourceTable('Sources', shown)}`
  const [unread, read] = [true, false].map(is => shown.filter(each => (each.state === 'not_covered') === is))
  return html`${count}
${read && read.length > 0 && sourceTable('Sources that are read', read)}
${
  unread &&
  unread.length > 0 &&
  html`<details class="card"><summary>${number(unread.length)} sources that are not read yet</summary>
${sourceTable('Sources that are not read yet', unread)}</details>`
}`
}

const sourceTable = (name: string, rows: readonly Source[]): Html =>
  html`<div class="sources">${table({
    name,
    columns: [
      { name: 'Market and source', cell: sourceCell },
      { name: 'State', cell: row => sourceBadge(row.state) },
      { name: 'Rows', cell: row => (row.rows === 0 ? '' : number(row.rows)), isNumber: true },
      { name: 'Last confirmed', cell: row => time(row.last_confirmed_at) },
      { name: 'Layout', cell: row => row.layout },
      {
        name: 'From',
        cell: ({ official_url: url }) =>
          url !== null && html`<a href="${url}" rel="noreferrer">Official source</a>`,
      },
    ],
    rows,
  })}</div>`

/** The name opens what is known of the source. */
function sourceCell(source: Source): Html {
  const { of, stream, official_url: url } = source
  const reasons = [...new Set([...source.hold_reasons, ...source.problems, ...source.layout_changes])]
  return html`<details><summary><b>${of.name}</b> <code>${stream}</code></summary>
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
    not_covered: of.not_published.join(', ') || 'nothing is missing',
    read: source.is_fetched ? 'fetched automatically' : 'loaded from files',
    layout: recordedAt === null ? 'described from documents' : `recorded from a file of ${recordedAt}`,
    last_changed: source.last_changed_at,
    address_probed: source.last_probed_at ?? 'never',
    ...(source.known_obstacle && { known_obstacle: obstacleOf(source.known_obstacle) }),
  }
}

const obstacleOf = (known: Source['known_obstacle']): string | null =>
  known === null ? null : `${known.found} (${known.source}, ${known.on})`

function marketsWithout({ markets }: Coverage, { state, name }: CoverageFilters): Content {
  const without = markets.filter(
    each => each.streams.length === 0 && matches(name, [each.market, each.name, each.regulator]),
  )
  if (without.length === 0 || (state !== null && state !== 'not_covered')) return null
  const items = without.map(each => html`<li title="${each.regulator}">${each.name}</li>`)
  const obstacles = without.flatMap(each => {
    const text = obstacleOf(each.known_obstacle)
    return text === null ? [] : [html`<li><b>${each.name}</b>: ${text}</li>`]
  })
  return html`<details class="card"${name !== '' && html` open`}>
<summary>${number(without.length)} markets without a source</summary>
<ul class="words">${items}</ul>
${obstacles.length > 0 && html`<p>Why some have none:</p><ul>${obstacles}</ul>`}</details>`
}

const spanOf = ({ from, to }: { from: string; to: string }) => (from === to ? from : `${from} to ${to}`)

/** Periods that were not good, the latest first; the history starts with the first recorded day. */
function history({ history: { since, days_recorded, gaps, periods }, markets }: Coverage): Html {
  const nameOf = (code: string) => markets.find(each => each.market === code)?.name ?? code
  const bad = periods.filter(each => each.state === 'stale' || each.state === 'held')
  const begins = since === null ? 'The history starts with the first day on which a source is read.' : ''
  return html`<section aria-labelledby="history"><h2 id="history">The last 90 days</h2>
<p>${begins || html`Recorded since ${since}, on ${number(days_recorded)} days.`}
${gaps.length > 0 && `Without a record, because the service did not run: ${gaps.map(spanOf).join(', ')}.`}
${since !== null && bad.length === 0 && 'On each recorded day, each covered market was confirmed.'}
${bad.length > periodsShownMax && html`The latest ${periodsShownMax} of ${number(bad.length)} periods.`}</p>
${
  bad.length > 0 &&
  table({
    name: 'Days on which a market was stale or in review',
    columns: [
      { name: 'From (UTC)', cell: row => row.from },
      { name: 'To', cell: row => row.to },
      { name: 'Market', cell: row => nameOf(row.market) },
      { name: 'State', cell: row => sourceBadge(row.state) },
    ],
    rows: bad.slice(0, periodsShownMax),
  })
}</section>`
}

function legend({ markets, as_of: asOf }: Coverage): Html {
  const meanings = shownStates.map(
    state => html`<div><dt>${sourceBadge(state)}</dt><dd>${sourceStates[state].meaning}</dd></div>`,
  )
  return html`<section aria-labelledby="legend"><h2 id="legend">What the words mean</h2>
<dl class="facts">${meanings}
<div><dt>Markets of the set</dt><dd>The ${number(markets.length)} regulators and countries that the API
knows by a code, whether or not anything of them is read. A market is live if each of its sources that was
read is.</dd></div>
<div><dt>Layout</dt><dd>Recorded: the form of the file was taken from one of the regulator's own. Described:
it is known from documents alone, and no official file was seen yet.</dd></div>
<div><dt>Rows</dt><dd>Of the snapshot in use: licenses, holders, sites or entries, as the source publishes
them.</dd></div></dl>
<p>As of ${time(asOf)}. <a href="/coverage.json">The same as JSON</a></p></section>`
}
