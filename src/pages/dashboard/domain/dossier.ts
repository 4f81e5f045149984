import type { Dossier, VerdictSource } from '../../../features/look-ups/index.ts'
import { domainPath, emptyState, marketName, table, time } from '../../components/index.ts'
import { type Html, html } from '../../html.ts'
import type { Page, Shown } from '../../page.ts'
import { sourceCell, type Verdict } from './evidence.ts'
import { timelineOf } from './timeline.ts'
import { observed, olderProfile, recordColumns, recordsOf, verdictCard } from './verdict.ts'

export const dossierPath = (domain: string) => `/dashboard/dossier?domain=${encodeURIComponent(domain)}`

const dossierPage: Page<Dossier> = {
  title: ({ domain }) => `Dossier of ${domain}`,
  within: '/dashboard/domains',
  lead: ({ bought }) => bought && html`The verdict as answered ${time(bought.bought_at)}.`,
  body: ({ domain, bought, older, sources, timeline, steps, ...known }, { now }) =>
    bought === null
      ? emptyState(
          'No verdict of this site was bought in the last 7 days.',
          html`<a href="${domainPath(domain)}">See its price</a>`,
        )
      : html`<div class="actions"><a class="button"
href="/dashboard/dossier/evidence?domain=${encodeURIComponent(domain)}">Download evidence (zip)</a>
<a class="button plain" href="${domainPath(domain)}">Back to the site</a>
<p class="hint">Print this page, or save it as a PDF, with your browser.</p></div>
${partsOf(bought.response, sources)}
${timelineOf({ timeline, steps }, now)}
${bought.response.observations && observed(bought.response.observations, known)}
${olderProfile({ older })}
${bought.response.receipt && receiptPart(bought.response.receipt)}`,
}

const partsOf = (verdict: Verdict, sources: readonly VerdictSource[]): Html =>
  html`${verdictCard(verdict, false)}
<section aria-labelledby="records"><h2 id="records">What registers say</h2>
${table({
  name: 'What registers say',
  columns: recordColumns(false),
  rows: recordsOf(verdict, sources),
  empty: html`<p>No register or blocklist that was read names this site.</p>`,
})}</section>
<section aria-labelledby="checked"><h2 id="checked">What was checked</h2>
${table<VerdictSource>({
  name: 'What was checked',
  columns: [
    { name: 'Market', cell: row => marketName(row.market) },
    { name: 'Source', cell: row => sourceCell([row]) },
  ],
  rows: sources,
  empty: html`<p>No register was read: the records were imported.</p>`,
})}<p class="hint">Registers that are not in this list were not checked.</p></section>`

const receiptPart = (receipt: string): Html =>
  html`<section aria-labelledby="receipt"><h2 id="receipt">Receipt</h2>
<p>A signed statement of this answer. <a href="/verify">Verify it</a></p><pre>${receipt}</pre></section>`

export const dossierPages: Readonly<Record<string, Shown>> = { show_dossier: dossierPage }
