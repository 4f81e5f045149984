import { counted, plural } from '@baize/names'
import type { Everything } from '../../../features/look-ups/index.ts'
import {
  companyPath,
  credits,
  domainPath,
  hidden,
  labelOf,
  licensePath,
  marketName,
  marketPath,
  noticeBox,
  number,
  offerForm,
  time,
} from '../../components/index.ts'
import { type Content, type Html, html } from '../../html.ts'
import type { Page, Shown, View } from '../../page.ts'

const boughtPaths = { domain: domainPath, company: companyPath, license: licensePath }
const boughtNouns = { domain: 'site', company: 'Company', license: 'license' }

/** Draws a line of the results: a link, and what is known free of charge. */
const line = (href: string, name: Content, about: Content): Html =>
  html`<li><a href="${href}">${name}</a> <span class="hint">${about}</span></li>`

const group = (name: string, lines: Content): Html => html`<section><h2>${name}</h2>${lines}</section>`

const listOf = (lines: readonly Html[]): Content => lines.length > 0 && html`<ul class="found">${lines}</ul>`

/** Draws the results, also below the box of each page, where htmx replaces them. */
function results(found: Everything, view: View): Html {
  return html`<div id="found" class="results" aria-live="polite">${partsOf(found, view)}</div>`
}

function partsOf(found: Everything, view: View): Content {
  const { q, domain, bought, markets, companies, licenses } = found
  if (found.is_limited) return noticeBox('warn', 'That was a lot of searches. Go on in a minute.')
  const recent =
    bought.length > 0 &&
    group(
      q === '' ? 'Looked up in the last 7 days' : 'Yours already',
      listOf(
        bought.map(each =>
          line(
            boughtPaths[each.kind](each.subject),
            each.name,
            html`${boughtNouns[each.kind]}, bought ${time(each.bought_at)}`,
          ),
        ),
      ),
    )
  if (q === '')
    return bought.length > 0
      ? recent
      : html`<p class="hint">A site, a Company, a license number or a market.</p>`
  const isNothing =
    domain === null && markets.length === 0 && !companies?.total_count && !licenses?.total_count
  return html`${
    domain !== null &&
    group('Site', listOf([line(domainPath(domain), domain, 'its verdict, and what it shows')]))
  }
${recent}
${
  markets.length > 0 &&
  group('Markets', listOf(markets.map(each => line(marketPath(each.code), each.name, each.regulator))))
}
${companyPart(found, view)}
${licensePart(found, view)}
${isNothing && bought.length === 0 && html`<p>Nothing is called “${q}”. Try a shorter part of the name.</p>`}`
}

type Sample = NonNullable<Everything['companies']>['sample'][number]

const aboutCompany = ({ role, jurisdictions, domain_count: sites }: Sample): Content =>
  [
    role.map(each => labelOf('role', each)).join(', '),
    jurisdictions.slice(0, 3).map(marketName).join(', '),
    counted(sites, 'site'),
  ]
    .filter(each => each !== '')
    .join(' · ')

/** Shows the masked rows of the free preview, and the button for the Company that the text names exactly. */
function companyPart(found: Everything, view: View): Content {
  const { q, companies, namesakes, prices, nonce } = found
  if (companies === null)
    return html`<p class="hint">Companies are not shown for this text: it is too short, or names
a platform, which is a filter of <a href="/dashboard/companies">the search of Companies</a>.</p>`
  const { total_count: total, is_at_least: isMore, sample, identity_match: match } = companies
  if (total === 0) return null
  const path = `/dashboard/companies?q=${encodeURIComponent(q)}`
  const exact =
    match !== null &&
    offerForm(
      view,
      {
        action: '/dashboard/look-ups/company',
        what: `Show the Company called “${q}”`,
        credits: prices.company,
        nonce,
      },
      hidden('identifier', match.type === 'domain' ? 'domain' : 'name'),
      hidden('q', q),
    )
  const named = namesakes.map(each =>
    line(
      companyPath(each.company_ref),
      each.company_name ?? 'Without a name',
      html`${each.country && labelOf('country', each.country)} ${each.legal_entity}`,
    ),
  )
  const rows = sample.map(each => line(path, each.company_name ?? 'Without a name', aboutCompany(each)))
  return group(
    'Companies',
    html`${named.length > 0 && html`<p class="hint">${number(named.length)} Companies have this name:</p>`}
${listOf(named.length > 0 ? named : rows)}${exact}
<p><a href="${path}">${isMore && 'At least '}${number(total)}
${plural(total, 'Company matches', 'Companies match')}</a>,
<span class="hint">${credits(prices.row)} a row</span></p>`,
  )
}

function licensePart({ q, licenses, prices, nonce }: Everything, view: View): Content {
  if (licenses === null || licenses.total_count === 0) return null
  const { total_count: total, is_at_least: isMore, sample } = licenses
  const path = `/dashboard/licenses?q=${encodeURIComponent(q)}`
  const rows = sample.map(each =>
    line(
      path,
      each.company_name ?? 'Holder without a name',
      [marketName(each.jurisdiction), each.license_type, each.status]
        .filter(part => part !== null)
        .join(' · '),
    ),
  )
  const isNumber = /\d/.test(q) && total === 1
  return group(
    'Licenses',
    html`${listOf(rows)}
${
  isNumber &&
  offerForm(
    view,
    { action: '/dashboard/look-ups/license', what: `Show the license ${q}`, credits: prices.license, nonce },
    hidden('license_number', q),
  )
}
<p><a href="${path}">${isMore && 'At least '}${number(total)}
${plural(total, 'license matches', 'licenses match')}</a>,
<span class="hint">${credits(prices.row)} a row</span></p>`,
  )
}

const searchPage: Page<Everything> = {
  title: 'Search',
  lead: 'Searching is free. Names are masked until you buy them; each button shows its price.',
  body: results,
  fragments: { found: results },
}

export const searchPages: Readonly<Record<string, Shown>> = { search_everything: searchPage }
