import type { Evidence } from '@baize/names'
import type { CompanyProfile, CompanyShown } from '../../../features/look-ups/index.ts'
import { day, domainLink, marketName, sourceWords, spanChart, table } from '../../components/index.ts'
import { type Content, type Html, html } from '../../html.ts'
import { signalDays } from '../feeds.ts'

const coloursMax = 10

/** Draws which platform each site ran on, of the sites whose verdict was bought. */
export function platformPart({ sites, sample }: CompanyShown, now: Date): Html {
  const moved = sites.filter(({ platforms }) => platforms.length > 0)
  const names = [...new Set(moved.flatMap(each => each.platforms.map(of => of.platform)))].toSorted()
  const lanes = moved.map(({ domain, platforms }) => ({
    name: domainLink(domain),
    spans: platforms.map(({ platform: name, from, to }) => ({
      from: from.slice(0, 10),
      to: to?.slice(0, 10) ?? null,
      name,
      colour: names.indexOf(name) % coloursMax,
    })),
  }))
  const today = now.toISOString().slice(0, 10)
  return html`<section aria-labelledby="platforms"><h2 id="platforms">Platform history</h2>
${
  lanes.length > 0 && spanChart({ name: 'Platforms of its sites', lanes, today })
}<p class="hint">Verdicts have the platforms of a site.
${sites.length} of ${sample.domain_count} were bought.</p></section>`
}

/** Shows the Signals about the Company that were bought, and where others are. */
export function signalPart({ signals }: CompanyShown, { licenses }: CompanyProfile): Html {
  const markets = [...new Set(licenses.flatMap(each => each.jurisdiction ?? []))]
  const links = markets.map(
    each =>
      html`<li><a href="/dashboard/feeds?market=${each}">Changes in ${marketName(each)}, by day</a></li>`,
  )
  return html`<section aria-labelledby="signals"><h2 id="signals">Signals about it</h2>
${signals.length === 0 ? html`<p>None was bought in the last 7 days.</p>` : signalDays(signals)}
${links.length > 0 && html`<ul class="plain">${links}</ul>`}</section>`
}

type Link = CompanyShown['links'][number]

const evidenceWords: Readonly<Record<Evidence, string>> = {
  company_number: 'the same company number',
  lei: 'the same LEI',
  name_and_country: 'the same name and country',
  name_and_market: 'the same name in lists of one regulator',
  name_and_domain: 'the same name and site',
  name_and_implied_country: 'the same name, and numbers or forms of one country',
  name_with_country: 'the same name, which names a country',
  name_and_site: 'the same name, and sites of one name',
}

/** Shows by which evidence holders of several registers are one Company. */
export function linkPart({ links }: CompanyShown): Content {
  return html`<section aria-labelledby="identity"><h2 id="identity">Why this is one Company</h2>
${
  links.length === 0
    ? html`<p>One source names it, or staff joined its sources.</p>`
    : table<Link>({
        name: 'Links between sources',
        columns: [
          { name: 'Source', cell: row => sourceWords(row.stream) },
          { name: 'And', cell: row => sourceWords(row.with_stream) },
          {
            name: 'Have',
            cell: row => html`${evidenceWords[row.evidence as Evidence]}<p class="hint">${row.value}</p>`,
          },
          { name: 'Linked', cell: row => day(new Date(row.linked_at).toISOString()) },
          {
            name: 'Today',
            cell: row => (row.lost_at === null ? 'still so' : 'not any more: staff review it'),
          },
        ],
        rows: links,
      })
}</section>`
}
