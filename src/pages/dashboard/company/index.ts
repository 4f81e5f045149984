import { counted } from '@baize/names'
import type { CompanyProfile, CompanyShown } from '../../../features/look-ups/index.ts'
import {
  badge,
  companyPath,
  day,
  defineTable,
  domainLink,
  facts,
  fileOnly,
  followForm,
  forDevelopers,
  hidden,
  labelOf,
  marketLink,
  memberName,
  number,
  offerForm,
  olderPart,
  saleOf,
  someOf,
  table,
  webLink,
} from '../../components/index.ts'
import { type Content, type Html, html } from '../../html.ts'
import type { Page, Shown, View } from '../../page.ts'
import { linkPart, platformPart, signalPart } from './history.ts'
import { licenseTable, siteTable } from './tables.ts'

type Contact = CompanyShown['people']['contacts'][number]

const profileOf = ({ bought }: CompanyShown) => bought?.response ?? null

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
      cell: row => html`${row.source}<p class="hint">${day(row.collected_at)}</p>`,
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
  lead: shown => html`${emblem(profileOf(shown)?.company_name)}${summary(shown)}`,
  body(shown, view) {
    const profile = profileOf(shown)
    const name = profile?.company_name ?? shown.sample.company_name ?? 'A Company'
    return html`${saleOfProfile(shown, view)}
<div class="actions">${followForm(companyPath(shown.company_ref), name, shown.followed)}</div>
${profile && profilePart(shown, profile, view)}
${shown.older && olderPart(shown.older, { firmographics: shown.older.response?.firmographics ?? null })}
${peoplePart(shown, view)}
${profile && [signalPart(shown, profile), linkPart(shown)]}
${forDevelopers(view, {
  refs: { company_ref: shown.company_ref },
  path: '/v1/companies/resolve',
  query: { company_ref: shown.company_ref },
  ...(profile && { response: profile }),
})}`
  },
}

const emblem = (name: string | null | undefined): Content =>
  name &&
  html`<img class="emblem" src="/images/company/${encodeURIComponent(name)}" alt="" width="48" height="48">`

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

/** These members have a part of their own, or are shown above. */
const ownParts = 'company_ref company_name role matched_as licenses domains firmographics'.split(' ')

function profilePart(shown: CompanyShown, profile: CompanyProfile, view: View): Html {
  const { firmographics = [] } = profile
  const about = Object.entries(profile).filter(([member]) => !ownParts.includes(member))
  return html`${facts(Object.fromEntries(about))}
<section aria-labelledby="licenses"><h2 id="licenses">Licenses</h2>${licenseTable.draw(shown, view)}</section>
<section aria-labelledby="sites"><h2 id="sites">Sites and markets</h2>${siteTable.draw(shown, view)}</section>
${platformPart(shown, view.now)}
${firmographics.length > 0 && firmographicsPart(firmographics)}`
}

type Firmographics = NonNullable<CompanyProfile['firmographics']>

/** Shows what sources say of the organisation behind each site. Sites without data share a line. */
function firmographicsPart(results: Firmographics): Html {
  const without = results.filter(each => each.data === null).map(({ domain }) => domainLink(domain.domain))
  return html`<section aria-labelledby="firmographics"><h2 id="firmographics">Firmographics</h2>${results
    .filter(({ data }) => data !== null)
    .map(
      ({ domain, data, stale, fetched_at: fetchedAt }) =>
        html`<section class="card"><h3>${domainLink(domain.domain)}</h3>
<p class="hint">${stale && badge('warn', 'old')} Read ${day(fetchedAt)}.</p>${facts(data)}</section>`,
    )}
${without.length > 0 && html`<p class="hint">Nothing is stored of: ${someOf(without, 10)}.</p>`}</section>`
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
