import type { CompanyProfile, CompanyShown } from '../../../features/look-ups/index.ts'
import {
  type Column,
  day,
  defineTable,
  domainLink,
  facts,
  fileOnly,
  labelOf,
  licenseBadge,
  licensePath,
  marketLink,
  marketName,
  rowsShownMax,
  someOf,
} from '../../components/index.ts'
import { html } from '../../html.ts'

type License = CompanyProfile['licenses'][number] & { expires_at?: string | null }
type Site = { domain: string; verdict: string | null; place: string | null; licensed: readonly string[] }

const profileOf = ({ bought }: CompanyShown) => bought?.response ?? null
const marketOf = ({ jurisdiction }: License) => jurisdiction ?? 'no market published'

/** Adds the day of expiry to licenses whose profile was bought. */
function licensesOf(shown: CompanyShown): License[] {
  const days = new Map(shown.license_days.map(each => [each.license_ref, each.expires_at]))
  return (profileOf(shown)?.licenses ?? []).map(each =>
    days.has(each.license_ref) ? { ...each, expires_at: days.get(each.license_ref) ?? null } : each,
  )
}

export const licenseTable = defineTable<CompanyShown, License>('licenses', shown => ({
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
        html`<a href="${licensePath(row.license_ref)}">
<bdi>${row.license_number ?? 'no number published'}</bdi></a>`,
      key: 'license_number',
    },
    { name: 'Type', cell: row => row.license_type ?? '', key: 'license_type' },
    { name: 'Status', cell: row => licenseBadge(row.status), key: 'status', isFacet: true },
    {
      name: 'Expires',
      cell: ({ expires_at: at, license_ref: ref }) =>
        at ? day(at) : at === null ? 'not published' : html`<a href="${licensePath(ref)}">in profile</a>`,
      key: 'expires_at',
    },
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
  rows: licensesOf(shown),
  shownMax: rowsShownMax,
  empty: html`<p>No register that was read names a license of it.</p>`,
}))

/** Returns the sites of a Company, with the markets whose registers list them. */
function sitesOf({ domains, licenses }: CompanyProfile, seen: CompanyShown['sites']): Site[] {
  const pairs = licenses.flatMap(each =>
    each.authorized_domains.map(of => [of.domain, marketOf(each)] as const),
  )
  const licensed = Map.groupBy(pairs, ([domain]) => domain)
  const verdicts = new Map(seen.map(({ domain, verdict }) => [domain, verdict]))
  return domains.map(({ domain, inferred_geo: place }) => {
    const listing = licensed.get(domain) ?? []
    const markets = [...new Set(listing.map(([, market]) => market))]
    return { domain, verdict: verdicts.get(domain) ?? null, place, licensed: markets }
  })
}

/** A matrix of more markets does not fit on a page. */
const matrixMarketsMax = 6

/** Returns a column for each market, or one column with all markets if they are many. */
function marketColumns(sites: readonly Site[]): Column<Site>[] {
  const markets = [...new Set(sites.flatMap(each => each.licensed))].toSorted((one, other) =>
    marketName(one).localeCompare(marketName(other)),
  )
  if (markets.length > matrixMarketsMax || markets.length === 0)
    return [{ name: 'Listed by registers of', cell: row => someOf(row.licensed.map(marketLink), 4) }]
  return markets.map(market => ({
    name: marketName(market),
    cell: ({ licensed }) =>
      licensed.includes(market) && html`<span title="listed by its register">✓ listed</span>`,
  }))
}

/** The sites, as a matrix with the markets that license them. */
export const siteTable = defineTable<CompanyShown, Site>('sites', shown => {
  const profile = profileOf(shown)
  const rows = profile === null ? [] : sitesOf(profile, shown.sites)
  return {
    name: 'Sites',
    columns: [
      { name: 'Site', cell: row => domainLink(row.domain), key: 'domain' },
      { name: 'Verdict', cell: row => facts(row.verdict, 'verdict'), key: 'verdict' },
      {
        name: 'Addresses',
        cell: row => row.place && labelOf('country', row.place),
        key: 'place',
        isFacet: true,
        facetName: value => labelOf('country', value),
      },
      ...marketColumns(rows),
      ...fileOnly('listed_by').map(each => ({ ...each, value: (row: Site) => row.licensed.map(marketName) })),
    ],
    rows,
    shownMax: rowsShownMax,
    empty: html`<p>No site of it is known.</p>`,
  }
})
