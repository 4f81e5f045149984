import type { DomainShown } from '../../../features/look-ups/index.ts'
import {
  defineTable,
  domainPath,
  field,
  forDevelopers,
  form,
  hidden,
  offerForm,
  saleOf,
} from '../../components/index.ts'
import { type Content, type Html, html } from '../../html.ts'
import type { Page, Shown, View } from '../../page.ts'
import { dossierPath } from './dossier.ts'
import { timelineOf } from './timeline.ts'
import {
  observed,
  olderProfile,
  recordColumns,
  recordsOf,
  type VerdictRecord,
  verdictCard,
} from './verdict.ts'

const recordTable = defineTable<DomainShown, VerdictRecord>('records', ({ bought, sources }) => ({
  name: 'What registers say',
  columns: recordColumns(false),
  rows: bought === null ? [] : recordsOf(bought.response, sources),
  empty: html`<p>No register or blocklist that was read names this site.</p>`,
}))

const domainPage: Page<DomainShown> = {
  title: ({ domain }) => domain,
  within: '/dashboard/domains',
  tables: [recordTable],
  body(shown, view) {
    const { bought } = shown
    return html`${verdictPart(shown, view)}
${timelineOf(shown, view.now)}
${bought?.response.observations && observed(bought.response.observations, shown)}
${olderProfile(shown)}
${checkPart(shown, view)}
${nextSteps(shown, view)}
${developers(shown, view)}`
  },
}

function verdictPart(shown: DomainShown, view: View): Html {
  const { domain, bought, nonce, prices } = shown
  const sale = saleOf(view, {
    action: domainPath(domain),
    nonce,
    bought,
    title: 'Verdict',
    text: 'Licensed, on a blocklist, both, or no record: by which register, with what the site itself shows.',
    offers: [
      { what: 'Show the verdict', credits: prices.verdict },
      {
        what: 'With its launch profile',
        credits: prices.verdict + prices.launch_profile,
        adds: 'launch_profile',
      },
    ],
  })
  if (bought === null) return sale
  const links = [
    [dossierPath(domain), 'Dossier to print'],
    ...(bought.response.receipt ? [[`${dossierPath(domain)}#receipt`, 'Signed receipt']] : []),
    ...(view.may('start_check') ? [['#check', 'Check the site now']] : []),
    ...(view.may('list_account_portfolios') ? [['#watch', 'Watch it in a portfolio']] : []),
  ] as const
  return html`${verdictCard(bought.response, false)}${sale}
<section aria-labelledby="records"><h2 id="records">What registers say</h2>
${recordTable.draw(shown, view)}</section>
<nav class="actions" aria-label="This site">${links.map(
    ([path, text]) => html`<a class="button plain" href="${path}">${text}</a>`,
  )}</nav>`
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

/** Leads to the portfolios and the lobby of the site. */
function nextSteps({ domain, portfolios }: DomainShown, view: View): Html {
  const add =
    portfolios.length === 0
      ? html`<p><a href="/dashboard/portfolios">Upload a list of sites</a> to watch it with others.</p>`
      : form(
          {
            action: '/dashboard/portfolio-sites',
            submit: 'Add to the portfolio',
            tone: 'plain',
            isRow: true,
          },
          field(view, {
            name: 'name',
            label: 'Portfolio',
            choices: portfolios.map(name => [name, name] as const),
          }),
          hidden('domain', domain),
        )
  return html`<section class="card" aria-labelledby="watch"><h2 id="watch">Watch this site</h2>${add}
<p><a href="/dashboard/lobbies?domain=${encodeURIComponent(domain)}">Its lobby: games and suppliers</a></p>
</section>`
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
