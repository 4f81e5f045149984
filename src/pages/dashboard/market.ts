import type { CompanyPreview, MarketShown } from '../../features/look-ups/index.ts'
import { day, figureList, labelOf, number } from '../components/index.ts'
import { type Content, type Html, html } from '../html.ts'
import type { Page, Shown } from '../page.ts'
import { marketPart } from '../public/market.ts'

const countOf = ({ facet_counts: facets }: Pick<CompanyPreview, 'facet_counts'>, field: string) =>
  facets.find(each => each.field === field)?.values ?? []

const marketPage: Page<MarketShown> = {
  title: ({ market }) => market.name,
  within: '/dashboard/companies',
  lead: ({ market }) => market.regulator,
  body(shown) {
    const { market, companies, licenses, domains } = shown
    const query = `jurisdiction=${market.market}`
    const ofVerdict = (verdict: string) => domains.find(each => each.verdict === verdict)?.domains ?? 0
    const platforms = countOf(companies, 'has_platform').find(each => each.value === 'true')?.count ?? 0
    const link = (path: string, text: string) => html`<a href="/dashboard/${path}">${text}</a>`
    return html`${figureList([
      { name: 'Companies', value: link(`companies?${query}`, number(companies.total_count)) },
      { name: 'Licenses', value: link(`licenses?${query}`, number(licenses.total_count)) },
      {
        name: 'Licensed sites',
        value: link(`domains?verdict=licensed&geo=${market.market}`, number(ofVerdict('licensed'))),
      },
      {
        name: 'Blocked sites',
        value: link(`domains?verdict=blocklisted&geo=${market.market}`, number(ofVerdict('blocklisted'))),
      },
      { name: 'With a known platform', value: number(platforms), hint: 'Companies' },
    ])}
${counts(
  'License statuses',
  countOf(licenses, 'license_status'),
  value => `licenses?${query}&license_status=${value}`,
)}
${counts(
  'Payment categories on their sites',
  countOf(companies, 'payment_category'),
  value => `companies?${query}&payment_category=${value}`,
)}
${newest(shown)}
${marketPart(market, shown.counts)}
<p class="actions"><a class="button plain" href="/coverage/${market.market}">Its public page</a></p>`
  },
}

/** Shows how many changes the newest days have, free. The feed sells them. */
const newest = ({ market, days }: MarketShown): Html =>
  html`<section aria-labelledby="newest"><h2 id="newest">Newest changes</h2>${
    days.length === 0
      ? html`<p>Nothing changed since it is read.</p>`
      : html`<ul class="days">${days.map(
          each => html`<li>
<a href="/dashboard/feeds?market=${market.market}&amp;until=${each.day}">${day(each.day)}</a>
<b>${number(each.signals)}</b></li>`,
        )}</ul>`
  }
<p><a href="/dashboard/feeds?market=${market.market}">All changes, by day</a></p></section>`

function counts(
  name: string,
  values: readonly { value: string; count: number }[],
  path: (value: string) => string,
): Content {
  if (values.length === 0) return null
  return html`<nav class="facets" aria-label="${name}"><div><span>${name}</span><ul>${values.map(
    ({ value, count }): Html =>
      html`<li><a href="/dashboard/${path(encodeURIComponent(value))}">${labelOf('status', value)}
<small>${number(count)}</small></a></li>`,
  )}</ul></div></nav>`
}

export const marketPages: Readonly<Record<string, Shown>> = { show_market: marketPage }
