import type { Coverage, CoveredMarket, MarketState } from '../../features/coverage/index.ts'
import { badge, figures, number, type Tone, table, time } from '../components/index.ts'
import { publicPage } from '../frame.ts'
import { type Content, type Html, html } from '../html.ts'

type State = { tone: Tone; text: string; meaning: string }

const states = new Map<MarketState, State>([
  ['live', { tone: 'good', text: '✓ live', meaning: 'fetched automatically and confirmed recently' }],
  [
    'loaded_from_files',
    { tone: 'good', text: '✓ from files', meaning: 'confirmed recently, from files that the operator loads' },
  ],
  ['stale', { tone: 'warn', text: '! stale', meaning: 'not confirmed for three times its usual interval' }],
  ['held', { tone: 'warn', text: '! in review', meaning: 'a new snapshot waits for a person to review it' }],
  ['not_covered', { tone: 'plain', text: '○ not covered', meaning: 'no source of it was ever read' }],
])

function stateBadge(state: string): Html {
  const { tone, text } = states.get(state as MarketState) ?? { tone: 'plain', text: state }
  return badge(tone, text)
}

export function coveragePage(coverage: Coverage): Html {
  const legend = [...states.values()].map(
    ({ tone, text, meaning }) => html`<div><dt>${badge(tone, text)}</dt><dd>${meaning}</dd></div>`,
  )
  const { markets } = coverage
  const covered = markets.filter(each => each.state !== 'not_covered')
  return publicPage({
    title: 'Coverage',
    body: html`<h1>Coverage</h1>
<p>Every market of the set, what is read of it, and how current it is. As of ${time(coverage.as_of)}.
<a href="/coverage.json">The same as JSON</a></p>
${figures([
  { name: 'Markets', value: number(markets.length) },
  { name: 'Covered', value: number(covered.length) },
  { name: 'Live', value: `${number(Math.round(coverage.share_live * 1_000) / 10)} %` },
])}
<dl class="facts">${legend}</dl>
${marketTable(coverage)}
${history(coverage)}`,
  })
}

/** Markets with sources come first. */
function marketTable({ markets }: Coverage): Html {
  const rank = ({ streams }: CoveredMarket) => (streams.length > 0 ? 0 : 1)
  return table({
    name: 'Markets',
    columns: [
      { name: 'Market', cell: row => html`${row.name} <p class="hint">${row.regulator}</p>` },
      { name: 'State', cell: row => stateBadge(row.state) },
      { name: 'Sources', cell: sourcesOf },
      {
        name: 'Rows',
        cell: row => {
          const rows = row.streams.reduce((sum, stream) => sum + stream.rows, 0)
          return rows === 0 ? '' : number(rows)
        },
        isNumber: true,
      },
    ],
    rows: markets.toSorted((a, b) => rank(a) - rank(b)),
  })
}

function sourcesOf({ streams }: CoveredMarket): Content {
  return streams.map(
    stream => html`<div><code>${stream.stream}</code> ${stream.kind}
<p class="hint">Confirmed ${time(stream.last_confirmed_at)}, changed ${time(stream.last_changed_at)}.
${stream.hold_reasons.join('; ')}</p></div>`,
  )
}

/** Days that were not good, newest first; the history starts with the first recorded day. */
function history({ history: { since, days }, markets }: Coverage): Html {
  const nameOf = (code: string) => markets.find(each => each.market === code)?.name ?? code
  const bad = days.filter(each => each.state === 'stale' || each.state === 'held').toReversed()
  const begins = since === null ? 'The history starts with the first day on which a source is read.' : ''
  return html`<section aria-labelledby="history"><h2 id="history">The last 90 days</h2>
<p>${begins || html`Recorded since ${since}.`}
${since !== null && bad.length === 0 && 'On every day, each covered market was confirmed.'}</p>
${
  bad.length > 0 &&
  table({
    name: 'Days on which a market was stale or in review',
    columns: [
      { name: 'Day (UTC)', cell: row => row.day },
      { name: 'Market', cell: row => nameOf(row.market) },
      {
        name: 'State',
        cell: row => stateBadge(row.state),
      },
    ],
    rows: bad,
  })
}</section>`
}
