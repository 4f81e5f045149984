import { counted } from '@baize/names'
import type { LicenseProfile, LicenseShown } from '../../features/look-ups/index.ts'
import {
  boughtNote,
  companyPath,
  defineTable,
  domainLink,
  forDevelopers,
  labelOf,
  licensePath,
  marketLink,
  marketName,
  offerForm,
  time,
  webLink,
} from '../components/index.ts'
import { type Content, type Html, html } from '../html.ts'
import type { Page, Shown, View } from '../page.ts'
import { licenseBadge, rowsShownMax } from './company.ts'

const profilesOf = ({ bought }: LicenseShown) => bought?.response.licenses ?? []

type Site = { domain: string; inferred_geo: string | null }

const siteTable = defineTable<LicenseShown, Site>('sites', shown => ({
  name: 'Sites that the register lists for it',
  columns: [
    { name: 'Site', cell: row => domainLink(row.domain), key: 'domain' },
    {
      name: 'Addresses',
      cell: row => row.inferred_geo && labelOf('country', row.inferred_geo),
      key: 'inferred_geo',
      isFacet: true,
      facetName: value => labelOf('country', value),
    },
  ],
  rows: profilesOf(shown).flatMap(each => each.authorized_domains as Site[]),
  shownMax: rowsShownMax,
  empty: html`<p>The register lists no site for it.</p>`,
}))

const licensePage: Page<LicenseShown> = {
  title: shown =>
    profilesOf(shown)[0]?.license_number ?? `License in ${marketName(shown.sample.jurisdiction)}`,
  within: '/dashboard/licenses',
  tables: [siteTable],
  lead: ({ sample }) =>
    html`${sample.license_type ?? 'A license'} in ${marketLink(sample.jurisdiction)},
${licenseBadge(sample.status)}`,
  body(shown, view) {
    const profiles = profilesOf(shown)
    return html`${
      profiles.length === 0
        ? offered(shown, view)
        : html`${shown.bought && boughtNote(shown.bought, button(shown, view, "Get today's", 'plain'))}
${profiles.map(profileOf)}
<section aria-labelledby="sites"><h2 id="sites">Sites</h2>${siteTable.draw(shown, view)}</section>`
    }
${forDevelopers(view, {
  refs: { license_ref: shown.license_ref },
  path: '/v1/licenses/resolve',
  query: { license_ref: shown.license_ref },
  ...(shown.bought && { response: shown.bought.response }),
})}`
  },
}

function button(shown: LicenseShown, view: View, what: string, tone?: 'plain'): Html {
  const { license_ref: ref, price, nonce } = shown
  return offerForm(view, { action: licensePath(ref), what, credits: price, nonce, tone })
}

function offered(shown: LicenseShown, view: View): Html {
  const { sample } = shown
  return html`<section class="card offer" aria-labelledby="offer"><h2 id="offer">Profile</h2>
<p>Its holder is ${sample.company_name ?? 'a party without a name'}. Its number, holder, dates and
${counted(sample.authorized_domain_count, 'site')}.</p>
${button(shown, view, 'Show the license')}</section>`
}

/** Explains that a license left its register; its last published status does not say so. */
const listedText = ({ listed, last_seen_at: seen }: LicenseProfile): Content =>
  listed ? 'yes' : html`no: its register does not list it any more, last seen ${time(seen)}`

function profileOf(license: LicenseProfile): Html {
  const { company_ref: ref, company_name: name, legal_entity: legal } = license
  const holder = name ?? legal ?? 'not named'
  const rows: readonly (readonly [name: string, value: Content])[] = [
    ['Holder', ref === null ? holder : html`<a href="${companyPath(ref)}">${holder}</a>`],
    ['Legal name', legal],
    ['Market', marketLink(license.jurisdiction)],
    ['Type', license.license_type],
    ['Status', licenseBadge(license.status)],
    ['In the register now', listedText(license)],
    ['Issued', license.issued_at && time(license.issued_at)],
    ['Expires', license.expires_at && time(license.expires_at)],
    ['First seen', time(license.first_seen_at)],
    ['Last confirmed', time(license.last_confirmed_at)],
    ['Source', license.source_url && webLink(license.source_url)],
  ]
  return html`<dl class="facts">${rows
    .filter(([, value]) => value !== null)
    .map(([term, value]) => html`<div><dt>${term}</dt><dd>${value}</dd></div>`)}</dl>`
}

export const licensePages: Readonly<Record<string, Shown>> = {
  show_license: licensePage,
  buy_license: {
    next: ({ licenses: [license] }: { licenses: readonly LicenseProfile[] }) =>
      licensePath(license?.license_ref ?? ''),
    form: 'show_license',
  },
  look_up_license: {
    next: ({ license_ref: ref }: { license_ref: string }) => licensePath(ref),
    form: 'search_everything',
  },
}
