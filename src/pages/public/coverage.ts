import { plural } from '@baize/names'
import type { Coverage } from '../../features/coverage/index.ts'
import {
  field,
  figureList,
  form,
  isChosen,
  number,
  sourceBadge,
  sourceStates,
  type TableAddress,
  tableAddress,
  time,
} from '../components/index.ts'
import { publicPage } from '../frame.ts'
import { type Content, type Html, html } from '../html.ts'
import {
  badPeriods,
  type CoverageFilters,
  historyTable,
  isFiltered,
  isUnread,
  marketTable,
  matches,
  obstacleOf,
  periodsShownMax,
  type ShownCoverage,
  type Source,
  shownSources,
  shownStates,
  sourcesOf,
  sourceTable,
  unreadTable,
} from './coverage-tables.ts'

/** Reads the filters. Unknown states count as none. */
export function coverageFilters({ state, name }: { state?: unknown; name?: unknown }): CoverageFilters {
  return {
    state: shownStates.find(each => each === state) ?? null,
    name: typeof name === 'string' ? name.trim() : '',
  }
}

const unsorted = tableAddress('/coverage', new URLSearchParams(), sourceTable.id)

export function coveragePage(coverage: Coverage, filters: CoverageFilters, address = unsorted): Html {
  const shown = { coverage, filters }
  const { markets, share_live: share, markets_with_stream: withStream } = coverage
  const sources = sourcesOf(coverage)
  const covered = markets.filter(each => each.state !== 'not_covered').length
  const rows = sources.reduce((sum, each) => sum + each.rows, 0)
  return publicPage({
    title: 'Coverage',
    body: html`<h1>Coverage</h1>
<p class="lead">What is read of each gambling market, from where and how often, and how current it is.</p>
${figureList([
  { name: 'Markets of the set', value: number(markets.length) },
  {
    name: 'With a source',
    value: number(withStream),
    hint: `${number(coverage.markets_licensing_domains)} with a register of domains`,
  },
  { name: 'Covered', value: number(covered), hint: 'read at least once' },
  liveFigure(share, sources),
  { name: 'Rows in use', value: number(rows) },
])}
${filterForm(sources, filters)}
${sourceList(shown, sources, address)}
${eachMarket(shown, address)}
${marketsWithout(coverage, filters)}
${history(shown, address)}
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
      { name: 'state', label: 'State', value: state, choices: [['', 'all'], ...choices] },
    ),
    field({ problem: null }, { name: 'name', label: 'Market, regulator or source', value: name }),
    (state !== null || name !== '') && html`<a href="/coverage">Show all</a>`,
  )
}

function sourceList(shown: ShownCoverage, sources: readonly Source[], address: TableAddress): Html {
  const matching = shownSources(shown)
  if (matching.length === 0) return html`<p>No source matches. <a href="/coverage">Show all</a></p>`
  const count = html`<p class="hint">${number(matching.length)} of ${number(sources.length)}
${plural(sources.length, 'source')}</p>`
  const unread = isFiltered(shown) ? 0 : matching.filter(isUnread).length
  const isOpen = isChosen(unreadTable, address)
  return html`${count}
${matching.length > unread && html`<div class="sources">${sourceTable.draw(shown, { address })}</div>`}
${
  unread > 0 &&
  html`<details class="card"${isOpen && html` open`}><summary>${number(unread)}
${plural(unread, 'source that is', 'sources that are')} not read yet</summary>
<div class="sources">${unreadTable.draw(shown, { address })}</div></details>`
}`
}

/** Shows the share that is fetched automatically, or the markets whose files were loaded by hand. */
function liveFigure(share: number, sources: readonly Source[]) {
  const byHand = sources.filter(each => !each.is_fetched && each.last_confirmed_at !== null)
  const isAllByHand = share === 0 && byHand.length > 0
  return isAllByHand
    ? {
        name: 'Loaded by hand',
        value: number(new Set(byHand.map(each => each.of.market)).size),
        hint: 'markets, from files that the operator loads',
      }
    : { name: 'Live', value: `${number(Math.round(share * 1_000) / 10)} %`, hint: 'of all markets' }
}

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
<summary>${number(without.length)} ${plural(without.length, 'market')} without a source</summary>
<ul class="words">${items}</ul>
${obstacles.length > 0 && html`<p>Why some have none:</p><ul>${obstacles}</ul>`}</details>`
}

function eachMarket(shown: ShownCoverage, address: TableAddress): Html {
  const isOpen = isChosen(marketTable, address)
  return html`<details class="card"${isOpen && html` open`}>
<summary>Each market: licensees, blocklist, regime, layout and age</summary>
<div class="sources">${marketTable.draw(shown, { address })}</div></details>`
}

const spanOf = ({ from, to }: { from: string; to: string }) => (from === to ? from : `${from} to ${to}`)

/** The history starts with the first recorded day. */
function history(shown: ShownCoverage, address: TableAddress): Html {
  const { since, days_recorded, gaps } = shown.coverage.history
  const bad = badPeriods(shown.coverage)
  const begins = since === null ? 'The history starts with the first day on which a source is read.' : ''
  return html`<section aria-labelledby="history"><h2 id="history">The last 90 days</h2>
<p>${begins || html`Recorded since ${since}, on ${number(days_recorded)} ${plural(days_recorded, 'day')}.`}
${gaps.length > 0 && `Without a record, because the service did not run: ${gaps.map(spanOf).join(', ')}.`}
${since !== null && bad.length === 0 && 'On each recorded day, each covered market was confirmed.'}
${bad.length > periodsShownMax && html`The latest ${periodsShownMax} of ${number(bad.length)} periods.`}</p>
${bad.length > 0 && historyTable.draw(shown, { address })}</section>`
}

function legend({ markets, as_of: asOf }: Coverage): Html {
  const states = [...shownStates, 'loaded_long_ago'] as const
  const meanings = states.map(
    state => html`<div><dt>${sourceBadge(state)}</dt><dd>${sourceStates[state].meaning}</dd></div>`,
  )
  return html`<section aria-labelledby="legend"><h2 id="legend">What the words mean</h2>
<dl class="facts">${meanings}
<div><dt>Markets of the set</dt><dd>The ${number(markets.length)} regulators and countries that the API
knows by a code, whether or not anything of them is read. A market is live if each of its sources that was
read is.</dd></div>
<div><dt>Layout</dt><dd>Recorded, or seen: the form of the file was taken from one of the regulator's own.
Described, or not seen: it is known from documents alone, and no official file was seen yet.</dd></div>
<div><dt>Rows</dt><dd>Of the snapshot in use: licenses, holders, sites or entries, as the source publishes
them.</dd></div></dl>
<p>As of ${time(asOf)}. <a href="/coverage.json">The same as JSON</a></p></section>`
}
