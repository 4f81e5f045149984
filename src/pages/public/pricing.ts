import { credits, identifierName, table } from '../components/index.ts'
import { publicPage } from '../frame.ts'
import { type Html, html } from '../html.ts'

export type PriceList = Readonly<Record<string, { credits: number; unit: string }>>

const free = [
  'Previews: how much matches, counts by filter, and masked rows.',
  'The counts of people by role, logos, coverage, regimes, and prospect lists.',
  'Empty pages, refused requests, failed checks, and an answer that is sent again.',
  'The demo key, which answers from a small fictional world.',
]

/** Writes the page of prices, which are those that requests are charged by. */
export const pricingPage = (prices: PriceList, url: string): Html =>
  publicPage({
    share: { url, description: 'What answers cost, by the credit, and what is free.' },
    title: 'Pricing',
    body: html`<h1>Pricing</h1>
<p class="lead">You pay by the credit, and only for what is delivered. The price stands on each button, and
no request costs more than the limit that you send.</p>
${table({
  name: 'Prices',
  columns: [
    { name: 'What', cell: ([key]) => identifierName(key) },
    { name: 'Price', cell: ([, price]) => credits(price.credits), isNumber: true },
    { name: 'For each', cell: ([, { unit }]) => unit },
  ],
  rows: Object.entries(prices),
})}
<h2>Free</h2><ul>${free.map(each => html`<li>${each}</li>`)}</ul>
<p class="actions"><a class="button" href="/docs/quickstart">Try the demo key</a>
<a class="button plain" href="/request-a-list">Ask for an account</a></p>`,
  })
