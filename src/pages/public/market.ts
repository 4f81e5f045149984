import type { CoveredMarket, MarketCounts } from '../../features/coverage/index.ts'
import { barChart, day, dayText, emptyState, number, regimeLine, table } from '../components/index.ts'
import { publicPage } from '../frame.ts'
import { type Content, type Html, html } from '../html.ts'
import { obstacleOf, type Source, sourceColumns, sourcesOf } from './coverage-tables.ts'

/** Shows what the law of a market allows, and its sources with their age. */
export function marketPart(market: CoveredMarket, counts: readonly MarketCounts[]): Html {
  const { regimes, streams, known_obstacle: obstacle } = market
  return html`<section aria-labelledby="law"><h2 id="law">What the law allows</h2>
${
  regimes.length === 0
    ? html`<p>Not described yet. That does not mean that everything is allowed.</p>`
    : html`<ul class="plain">${regimes.map(
        each => html`<li>${regimeLine(each)}${each.note && html`<p class="hint">${each.note}</p>`}</li>`,
      )}</ul>`
}</section>
<section aria-labelledby="sources"><h2 id="sources">Sources</h2>
${
  streams.length === 0
    ? emptyState('No source of this market is read yet.', obstacleOf(obstacle) ?? undefined)
    : html`<div class="sources">${table<Source>({
        name: 'Sources',
        columns: sourceColumns,
        rows: sourcesOf({ markets: [market] }),
      })}</div>`
}</section>
${overTime(counts)}`
}

/** A chart of fewer months shows nothing. */
const chartMonthsMin = 3
const countNames = { licenses: 'Licenses', blocked: 'Blocked sites' } as const

/** Shows how many licenses and blocked sites its sources had at the end of each month. */
function overTime(counts: readonly MarketCounts[]): Content {
  if (counts.length === 0) return null
  const kinds = (['licenses', 'blocked'] as const).filter(kind => counts.some(each => each[kind] > 0))
  const chart = (kind: keyof typeof countNames) =>
    barChart({
      name: `${countNames[kind]}, by month`,
      series: [countNames[kind]],
      bars: counts.map(each => ({
        name: dayText(each.day),
        parts: [{ name: countNames[kind], value: each[kind] }],
      })),
      per: 'in a month',
      legendEntry: name => name,
    })
  const isDrawn = counts.length >= chartMonthsMin
  const rows = table<MarketCounts>({
    name: 'Licenses and blocked sites by month',
    columns: [
      { name: 'Read', cell: row => day(row.day) },
      ...kinds.map(kind => ({
        name: countNames[kind],
        cell: (row: MarketCounts) => number(row[kind]),
        isNumber: true,
      })),
    ],
    rows: counts.toReversed(),
  })
  return html`<section aria-labelledby="counts"><h2 id="counts">Over time</h2>
${
  isDrawn
    ? html`${kinds.map(chart)}
<details><summary>The charts as a table</summary>${rows}</details>`
    : rows
}</section>`
}

/** Writes the public page of a market. */
export const publicMarketPage = (
  market: CoveredMarket,
  { counts, url }: { counts: readonly MarketCounts[]; url: string },
): Html =>
  publicPage({
    title: market.name,
    share: {
      url,
      description: `The gambling registers and blocklists of ${market.name}, and how old they are.`,
    },
    body: html`<p class="hint"><a href="/coverage">Coverage</a></p><h1>${market.name}</h1>
<p class="lead">${market.regulator}. What is read of this market, from where, and how current it is.</p>
${marketPart(market, counts)}
<p class="actions"><a class="button" href="/dashboard/markets/${market.market}">Open in the dashboard</a>
<a class="button plain" href="/docs/quickstart">Ask by API</a></p>`,
  })
