import type { Coverage, CoveredMarket, CoveredStream } from '../../features/coverage/index.ts'
import { badge, figures, number, type Tone, table, time } from '../components/index.ts'
import { publicPage } from '../frame.ts'
import { type Content, type Html, html } from '../html.ts'

type State = { tone: Tone; text: string; meaning: string }
type MarketState = CoveredMarket['state']

const states: Record<MarketState, State> = {
  live: { tone: 'good', text: '✓ live', meaning: 'fetched automatically and confirmed recently' },
  loaded_from_files: {
    tone: 'good',
    text: '✓ from files',
    meaning: 'confirmed recently, from files that the operator loads',
  },
  stale: {
    tone: 'warn',
    text: '! stale',
    meaning: 'a source was not confirmed for three times its usual interval, fails, or was never read',
  },
  held: { tone: 'warn', text: '! in review', meaning: 'a new snapshot waits for a person to review it' },
  not_covered: { tone: 'plain', text: '○ not covered', meaning: 'no source of it was ever read' },
}

function stateBadge(state: MarketState): Html {
  const { tone, text } = states[state]
  return badge(tone, text)
}

export function coveragePage(coverage: Coverage): Html {
  const legend = Object.values(states).map(
    ({ tone, text, meaning }) => html`<div><dt>${badge(tone, text)}</dt><dd>${meaning}</dd></div>`,
  )
  const { markets } = coverage
  const live = markets.filter(each => each.state === 'live').length
  const covered = markets.filter(each => each.state !== 'not_covered').length
  return publicPage({
    title: 'Coverage',
    body: html`<h1>Coverage</h1>
<p>Every market of the set: what is read of it, from where and how often, how current it is, and what is not
covered. ${number(live)} of ${number(markets.length)} markets are live. As of ${time(coverage.as_of)}.
<a href="/coverage.json">The same as JSON</a></p>
${figures([
  { name: 'Markets', value: number(markets.length) },
  { name: 'Covered', value: number(covered) },
  { name: 'Live', value: `${number(Math.round(coverage.share_live * 1_000) / 10)} %` },
])}
<dl class="facts">${legend}</dl>
${marketTable(coverage)}
${history(coverage)}`,
  })
}

/** Markets that were read come first, then those with sources. */
function marketTable({ markets }: Coverage): Html {
  const rank = ({ state, streams }: CoveredMarket) =>
    state !== 'not_covered' ? 0 : streams.length > 0 ? 1 : 2
  return table({
    name: 'Markets',
    columns: [
      { name: 'Market', cell: row => html`${row.name} <p class="hint">${row.regulator}</p>` },
      { name: 'State', cell: row => stateBadge(row.state) },
      { name: 'Sources', cell: ({ streams }) => streams.map(sourceOf) },
      { name: 'Not published', cell: ({ streams, not_published }) => notPublished(streams, not_published) },
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

const notPublished = (streams: readonly unknown[], fields: readonly string[]) =>
  streams.length === 0 ? '' : words(fields) || 'nothing is missing'

const words = (names: readonly string[]) => names.join(', ')

function sourceOf(stream: CoveredStream): Content {
  const { official_url: url, cadence, publishes } = stream
  return html`<div><code>${stream.stream}</code> ${stream.kind.replaceAll('_', ' ')}
<p class="hint">${ageOf(stream)} ${layoutOf(stream)}
${publishes.length > 0 && html`Publishes ${words(publishes)}.`}
${cadence.words !== null && html`Changes: ${cadence.words}.`}
${url !== null && html`<a href="${url}" rel="noreferrer">Official source</a>`}
${reasonsOf(stream)}</p></div>`
}

function ageOf({ last_confirmed_at, last_changed_at, is_fetched }: CoveredStream): Content {
  if (last_confirmed_at === null) return 'Never read.'
  return html`Confirmed ${time(last_confirmed_at)}, changed ${time(last_changed_at)},
${is_fetched ? 'fetched automatically' : 'loaded from files'}.`
}

function layoutOf({ layout, layout_recorded_at, last_probed_at }: CoveredStream): Content {
  const known =
    layout === 'recorded'
      ? html`Layout recorded from a file of ${layout_recorded_at}.`
      : 'Layout described from documents; no official file was seen.'
  const probed =
    last_probed_at === null ? 'Its official address was never probed.' : html`Probed ${time(last_probed_at)}.`
  return html`${known} ${probed}`
}

function reasonsOf({ hold_reasons, problems, layout_changes }: CoveredStream): Content {
  const reasons = [...new Set([...hold_reasons, ...problems, ...layout_changes])]
  return reasons.length > 0 && html`<strong>${reasons.join('; ')}</strong>`
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
${since !== null && bad.length === 0 && 'On each recorded day, each covered market was confirmed.'}</p>
${
  bad.length > 0 &&
  table({
    name: 'Days on which a market was stale or in review',
    columns: [
      { name: 'From (UTC)', cell: row => row.from },
      { name: 'To', cell: row => row.to },
      { name: 'Market', cell: row => nameOf(row.market) },
      { name: 'State', cell: row => stateBadge(row.state) },
    ],
    rows: bad,
  })
}</section>`
}
