import { counted } from '@baize/names'
import type { LicenseProfile, LicenseShown } from '../../features/look-ups/index.ts'
import {
  companyPath,
  defineTable,
  domainLink,
  forDevelopers,
  labelOf,
  licenseBadge,
  licensePath,
  marketLink,
  marketName,
  rowsShownMax,
  saleOf,
  time,
  webLink,
} from '../components/index.ts'
import { type Content, type Html, html } from '../html.ts'
import type { Page, Shown } from '../page.ts'

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
    const { sample, license_ref: ref, price, nonce, bought } = shown
    const profiles = profilesOf(shown)
    return html`${saleOf(view, {
      action: licensePath(ref),
      nonce,
      bought,
      title: 'Profile',
      text: html`Its holder is ${sample.company_name ?? 'a party without a name'}. Its number, holder, dates
and ${counted(sample.authorized_domain_count, 'site')}.`,
      offers: [{ what: 'Show the license', credits: price }],
    })}
${profiles.map(profileOf)}
${
  profiles.length > 0 &&
  html`<section aria-labelledby="sites"><h2 id="sites">Sites</h2>${siteTable.draw(shown, view)}</section>`
}
${forDevelopers(view, {
  refs: { license_ref: ref },
  path: '/v1/licenses/resolve',
  query: { license_ref: ref },
  ...(bought && { response: bought.response }),
})}`
  },
}

/** What the words of registers mean for the holder. */
const meanings: Readonly<Record<string, string>> = {
  active: 'The holder may offer what the license covers.',
  suspended: 'The regulator has stopped it for a time.',
  revoked: 'The regulator took it away.',
  surrendered: 'The holder gave it back.',
  expired: 'Its time is over.',
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
    [
      'Status',
      html`${licenseBadge(license.status)} <span class="hint">${meanings[license.status ?? '']}</span>`,
    ],
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
