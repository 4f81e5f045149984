import type { DomainShown } from '../../../features/look-ups/index.ts'
import {
  boughtNote,
  defineTable,
  domainPath,
  forDevelopers,
  hidden,
  offerForm,
} from '../../components/index.ts'
import { type Content, type Html, html } from '../../html.ts'
import type { Page, Shown, View } from '../../page.ts'
import type { Verdict } from './evidence.ts'
import { observed, recordColumns, recordsOf, timelineOf, type VerdictRecord, verdictCard } from './verdict.ts'

const recordTable = defineTable<DomainShown, VerdictRecord>('records', ({ bought, sources }) => ({
  name: 'What registers say',
  columns: recordColumns(false),
  rows: bought === null ? [] : recordsOf({ verdict: bought.response, sources }),
  empty: html`<p>No register or blocklist that was read names this site.</p>`,
}))

const domainPage: Page<DomainShown> = {
  title: ({ domain }) => domain,
  within: '/dashboard/domains',
  tables: [recordTable],
  body(shown, view) {
    const { bought, timeline } = shown
    return html`${bought === null ? offered(shown, view) : verdictPart(shown, bought.response, view)}
${timelineOf(timeline)}
${bought?.response.observations && observed(bought.response.observations)}
${checkPart(shown, view)}
${developers(shown, view)}`
  },
}

function offered(shown: DomainShown, view: View): Html {
  return html`<section class="card offer" aria-labelledby="offer"><h2 id="offer">Verdict</h2>
<p>Licensed, on a blocklist, both, or no record: by which register, with what the site itself shows.</p>
${buttons(shown, view, 'Show the verdict')}</section>`
}

/** Draws the buttons for the verdict, with and without a launch profile. */
function buttons(shown: DomainShown, view: View, what: string, tone?: 'plain'): Content {
  const { domain, prices, nonce } = shown
  const action = domainPath(domain)
  const withProfile = prices.verdict + prices.launch_profile
  return html`<div class="actions">${offerForm(view, { action, what, credits: prices.verdict, nonce, tone })}
${offerForm(
  view,
  { action, what: 'With its launch profile', credits: withProfile, nonce, isLimit: true, tone: 'plain' },
  hidden('launch_profile', 'true'),
)}</div>`
}

function verdictPart(shown: DomainShown, verdict: Verdict, view: View): Html {
  return html`${verdictCard(verdict, false)}
${shown.bought && boughtNote(shown.bought, buttons(shown, view, "Get today's", 'plain'))}
<section aria-labelledby="records"><h2 id="records">What registers say</h2>
${recordTable.draw(shown, view)}</section>`
}

function checkPart({ domain, prices, nonce }: DomainShown, view: View): Content {
  if (!view.may('start_check')) return null
  return html`<section class="card" aria-labelledby="check"><h2 id="check">Check the site now</h2>
<p>The service looks at the site itself: pages, DNS, registration. A check that fails costs nothing. It takes
from seconds to minutes.</p>
${offerForm(
  view,
  { action: '/dashboard/checks', what: 'Check', credits: prices.check, nonce, tone: 'plain' },
  hidden('domain', domain),
)}</section>`
}

const developers = ({ domain, bought }: DomainShown, view: View): Html =>
  forDevelopers(view, {
    path: '/v1/domains/resolve',
    query: { domain, checked_streams: 'true' },
    ...(bought && { response: bought.response }),
  })

export const domainPages: Readonly<Record<string, Shown>> = {
  show_domain: domainPage,
  buy_verdict: { next: ({ domain }: { domain: string }) => domainPath(domain), form: 'show_domain' },
}
