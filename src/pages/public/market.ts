import type { CoveredMarket } from '../../features/coverage/index.ts'
import { agedState, emptyState, number, regimeLine, sourceBadge, table, time } from '../components/index.ts'
import { publicPage } from '../frame.ts'
import { type Html, html } from '../html.ts'
import { obstacleOf, sourceStateOf } from './coverage-tables.ts'

type Source = CoveredMarket['streams'][number]

/** Shows what the law of a market allows, and its sources with their age. */
export function marketPart({ regimes, streams, known_obstacle: obstacle }: CoveredMarket): Html {
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
    : table<Source>({
        name: 'Sources',
        columns: [
          { name: 'Source', cell: row => html`<code>${row.stream}</code>` },
          { name: 'What', cell: row => row.kind.replaceAll('_', ' ') },
          { name: 'State', cell: row => sourceBadge(agedState(sourceStateOf(row), row.is_fetched)) },
          { name: 'Rows', cell: row => (row.rows === 0 ? '' : number(row.rows)), isNumber: true },
          { name: 'Last confirmed', cell: row => time(row.last_confirmed_at) },
          { name: 'Last changed', cell: row => time(row.last_changed_at) },
          {
            name: 'From',
            cell: ({ official_url: url }) =>
              url !== null && html`<a href="${url}" rel="noreferrer noopener">Official source</a>`,
          },
        ],
        rows: streams,
      })
}</section>`
}

/** Writes the public page of a market. */
export const publicMarketPage = (market: CoveredMarket): Html =>
  publicPage({
    title: market.name,
    body: html`<p class="hint"><a href="/coverage">Coverage</a></p><h1>${market.name}</h1>
<p class="lead">${market.regulator}. What is read of this market, from where, and how current it is.</p>
${marketPart(market)}
<p class="actions"><a class="button" href="/dashboard/markets/${market.market}">Open in the dashboard</a>
<a class="button plain" href="/docs/quickstart">Ask by API</a></p>`,
  })
