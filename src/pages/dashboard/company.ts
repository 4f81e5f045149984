import { counted } from '@baize/names'
import type { CompanyProfile, CompanyShown } from '../../features/look-ups/index.ts'
import {
  badge,
  companyPath,
  defineTable,
  domainLink,
  facts,
  fileOnly,
  forDevelopers,
  hidden,
  labelOf,
  licensePath,
  marketLink,
  marketName,
  memberName,
  number,
  offerForm,
  olderPart,
  saleOf,
  someOf,
  table,
  time,
  webLink,
} from '../components/index.ts'
import { type Content, type Html, html } from '../html.ts'
import type { Page, Shown, View } from '../page.ts'

type License = CompanyProfile['licenses'][number]
type Site = { domain: string; place: string | null; licensed: readonly string[] }
type Contact = CompanyShown['people']['contacts'][number]

const marketOf = ({ jurisdiction }: License) => jurisdiction ?? 'no market published'
/** Limits the rows of a page; files have all. */
export const rowsShownMax = 100

const profileOf = ({ bought }: CompanyShown) => bought?.response ?? null

const statusTones = { active: 'good', suspended: 'warn', revoked: 'bad', expired: 'bad' } as const

/** Draws the status of a license as its register publishes it, in one spelling. */
export const licenseBadge = (status: string | null): Content =>
  status === null
    ? html`<span class="none">not published</span>`
    : badge(statusTones[status as keyof typeof statusTones] ?? 'plain', status.replaceAll('_', ' '))

const licenseTable = defineTable<CompanyShown, License>('licenses', shown => ({
  name: 'Licenses',
  columns: [
    {
      name: 'Market',
      cell: row => marketLink(marketOf(row)),
      key: 'market',
      value: row => marketName(marketOf(row)),
    },
    {
      name: 'Number',
      cell: row =>
        html`<a href="${licensePath(row.license_ref)}">${row.license_number ?? 'no number published'}</a>`,
      key: 'license_number',
    },
    { name: 'Type', cell: row => row.license_type ?? '', key: 'license_type' },
    { name: 'Status', cell: row => licenseBadge(row.status), key: 'status', isFacet: true },
    {
      name: 'Sites',
      cell: row =>
        someOf(
          row.authorized_domains.map(each => domainLink(each.domain)),
          3,
        ),
      key: 'sites',
      value: row => row.authorized_domains.map(each => each.domain),
    },
    ...fileOnly('license_ref'),
  ],
  rows: profileOf(shown)?.licenses ?? [],
  shownMax: rowsShownMax,
  empty: html`<p>No register that was read names a license of it.</p>`,
}))

/** Returns the sites of a Company, with the markets whose registers list them. */
function sitesOf({ domains, licenses }: CompanyProfile): Site[] {
  const pairs = licenses.flatMap(each =>
    each.authorized_domains.map(of => [of.domain, marketOf(each)] as const),
  )
  const licensed = Map.groupBy(pairs, ([domain]) => domain)
  return domains.map(({ domain, inferred_geo: place }) => {
    const listing = licensed.get(domain) ?? []
    return { domain, place, licensed: [...new Set(listing.map(([, market]) => market))] }
  })
}

const siteTable = defineTable<CompanyShown, Site>('sites', shown => ({
  name: 'Sites',
  columns: [
    { name: 'Site', cell: row => domainLink(row.domain), key: 'domain' },
    {
      name: 'Addresses',
      cell: row => row.place && labelOf('country', row.place),
      key: 'place',
      isFacet: true,
      facetName: value => labelOf('country', value),
    },
    {
      name: 'Listed by registers of',
      cell: row => someOf(row.licensed.map(marketLink), 4),
      key: 'listed_by',
      value: row => row.licensed.map(marketName),
    },
  ],
  rows: profileOf(shown) === null ? [] : sitesOf(profileOf(shown) as CompanyProfile),
  shownMax: rowsShownMax,
  empty: html`<p>No site of it is known.</p>`,
}))

const peopleTable = defineTable<CompanyShown, Contact>('people', ({ people }) => ({
  name: 'People',
  columns: [
    { name: 'Name', cell: row => row.name, key: 'name' },
    { name: 'Title', cell: row => row.title ?? row.headline ?? '', key: 'title' },
    {
      name: 'Reach',
      cell: row =>
        html`${row.email && html`<bdi>${row.email}</bdi> `}
${row.linkedin_url && webLink(row.linkedin_url, 'Profile')}`,
      key: 'email',
    },
    ...fileOnly('linkedin_url'),
    { name: 'Country', cell: row => row.country && labelOf('country', row.country), key: 'country' },
    {
      name: 'Source',
      cell: row => html`${row.source}<p class="hint">${time(row.collected_at)}</p>`,
      key: 'source',
    },
    ...fileOnly('collected_at'),
  ],
  rows: people.contacts,
}))

const companyPage: Page<CompanyShown> = {
  title: shown => profileOf(shown)?.company_name ?? shown.sample.company_name ?? 'Company without a name',
  within: '/dashboard/companies',
  tables: [licenseTable, siteTable, peopleTable],
  lead: shown => summary(shown),
  body(shown, view) {
    const profile = profileOf(shown)
    return html`${saleOfProfile(shown, view)}
${profile && profilePart(shown, profile, view)}
${shown.older && olderPart(shown.older, { firmographics: shown.older.response?.firmographics ?? null })}
${peoplePart(shown, view)}
${forDevelopers(view, {
  refs: { company_ref: shown.company_ref },
  path: '/v1/companies/resolve',
  query: { company_ref: shown.company_ref },
  ...(profile && { response: profile }),
})}`
  },
}

/** Says in a sentence what the free preview shows. */
function summary({ sample }: CompanyShown): Content {
  const { role, jurisdictions, domain_count: sites, license_count: licenses } = sample
  const what =
    role.length === 0 ? 'A company' : `Known as ${role.map(each => labelOf('role', each)).join(' and ')}`
  const where =
    jurisdictions.length > 0 &&
    html`, with ${counted(licenses, 'license')} in ${someOf(jurisdictions.map(marketLink), 6)}`
  return html`${what}${where}. ${counted(sites, 'site')}.`
}

function saleOfProfile({ company_ref: ref, bought, prices, sample, nonce }: CompanyShown, view: View): Html {
  const sites = counted(sample.domain_count, 'site')
  const whole = prices.profile + prices.firmographics
  return saleOf(view, {
    action: companyPath(ref),
    nonce,
    bought,
    title: 'Profile',
    text: html`Its name, brands, ${sites}, ${counted(sample.license_count, 'license')},
${counted(sample.payment_method_count, 'payment method')} and
${counted(sample.supplier_brand_count, 'supplier')}, with the register behind each.`,
    offers: [
      { what: 'Show the profile', credits: prices.profile },
      ...(sample.domain_count > 0
        ? [{ what: `With firmographics of ${sites}`, credits: whole, adds: 'firmographics' }]
        : []),
    ],
  })
}

function profilePart(shown: CompanyShown, profile: CompanyProfile, view: View): Html {
  const { company_ref: _ref, company_name: _name, licenses: _licenses, domains: _domains, ...rest } = profile
  const { matched_as: _matched, subject_kind: _kind, role: _role, ...about } = rest
  const [file] = /[0-9a-f]{64}\.[a-z]{3,4}$/.exec(shown.logo ?? '') ?? []
  return html`${file && html`<p class="emblem"><img src="/logos/${file}" alt="Logo" height="48"></p>`}
${facts(about)}
<section aria-labelledby="licenses"><h2 id="licenses">Licenses</h2>${licenseTable.draw(shown, view)}</section>
<section aria-labelledby="sites"><h2 id="sites">Sites</h2>${siteTable.draw(shown, view)}</section>`
}

/** Returns words for the key of a role, such as `CEO` or `Marketing leads`. */
const roleName = (key: string) => (key.length <= 4 ? key.toUpperCase() : memberName(key))

function peoplePart(shown: CompanyShown, view: View): Html {
  const { people, company_ref: ref, nonce } = shown
  const offers = table({
    name: 'Roles',
    columns: [
      { name: 'Role', cell: row => roleName(row.role) },
      { name: 'People', cell: row => number(row.people), isNumber: true },
      {
        name: 'Buy',
        isUnnamed: true,
        cell: row =>
          offerForm(
            view,
            {
              action: `${companyPath(ref)}/people`,
              what: `Buy ${number(row.at_once)}`,
              credits: row.credits,
              nonce,
              tone: 'plain',
              name: roleName(row.role),
            },
            hidden('role', row.role),
          ),
      },
    ],
    rows: people.roles,
  })
  return html`<section aria-labelledby="people"><h2 id="people">People</h2>
${people.contacts.length > 0 && peopleTable.draw(shown, view)}
${
  people.roles.length === 0
    ? html`<p>No person with an address or profile is stored.</p>`
    : html`<p class="hint">How many people have a role is free. A person may have several.</p>${offers}`
}</section>`
}

export const companyPages: Readonly<Record<string, Shown>> = {
  show_company: companyPage,
  buy_company: {
    next: ({ companies: [company] }: { companies: readonly CompanyProfile[] }) =>
      companyPath(company?.company_ref ?? ''),
    form: 'show_company',
  },
  buy_people: {
    next: ({ company_ref: ref }: { company_ref: string }) => `${companyPath(ref)}#people`,
    form: 'show_company',
  },
  look_up_company: {
    next: ({ company_ref: ref, q }: { company_ref: string | null; q: string }) =>
      ref === null ? `/dashboard/search?q=${encodeURIComponent(q)}` : companyPath(ref),
    form: 'search_everything',
  },
}
