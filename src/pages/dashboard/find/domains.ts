import type { DomainsFound } from '../../../features/look-ups/index.ts'
import {
  defineTable,
  domainLink,
  field,
  form,
  inSentence,
  marketLink,
  marketName,
  noticeBox,
  verdictBadge,
} from '../../components/index.ts'
import { type Content, html } from '../../html.ts'
import type { Page, Shown, View } from '../../page.ts'
import {
  addressOf,
  type Facet,
  facetNavigation,
  filterForm,
  filterValue,
  givenFilters,
  rowsPart,
} from './finder.ts'

const path = '/dashboard/domains'
const nouns = ['site', 'sites'] as const

type Row = NonNullable<DomainsFound['bought']>['response']['domains'][number]

const markets = (of: readonly { geo: string }[]) => [...new Set(of.map(each => each.geo))]

const siteTable = defineTable<DomainsFound, Row>('domains', ({ bought }) => ({
  name: 'Sites',
  columns: [
    { name: 'Site', cell: row => domainLink(row.domain), key: 'domain' },
    { name: 'Verdict', cell: row => verdictBadge(row.verdict), key: 'verdict' },
    {
      name: 'Licensed in',
      cell: row => inSentence(markets(row.licensed_by).map(marketLink)),
      key: 'licensed_in',
      value: row => markets(row.licensed_by).map(marketName),
    },
    {
      name: 'Blocked in',
      cell: row => inSentence(markets(row.blocked_by).map(marketLink)),
      key: 'blocked_in',
      value: row => markets(row.blocked_by).map(marketName),
    },
    { name: 'Platform', cell: row => (row.platform_present ? 'known' : ''), key: 'platform_present' },
  ],
  rows: bought?.response.domains ?? [],
}))

const verdicts = ['licensed', 'blocklisted', 'mixed'] as const

const countText = (counts: DomainsFound['preview'], verdict: string, geo: string) =>
  counts.find(each => each.verdict === verdict && each.geo === geo)?.domains ?? 0

function facetsOf({ preview, filters }: DomainsFound): Facet[] {
  const { verdict, geo = '' } = filters
  return [
    {
      field: 'verdict',
      values: verdicts.map(value => ({ value, count: countText(preview, value, geo) })),
    },
    {
      field: 'geo',
      values: preview
        .filter(each => each.verdict === verdict && each.geo !== '')
        .toSorted((one, other) => other.domains - one.domains)
        .map(each => ({ value: each.geo, count: each.domains })),
    },
  ]
}

/** In this search a place is the market of a regulator. */
const wordsOf = (name: string, value: string) =>
  name === 'geo' ? marketName(value) : filterValue(name, value)

function openSite(view: View): Content {
  return form(
    { action: '/dashboard/search', method: 'get', submit: 'Open', name: 'Open a site' },
    field(view, { name: 'q', label: 'A site', placeholder: 'luckyotter.example' }),
  )
}

const domainsPage: Page<DomainsFound> = {
  title: 'Sites',
  lead: 'Open a site for its verdict, or list the sites of a verdict. Counts are free; a row costs 1 credit.',
  tables: [siteTable],
  body: (found, view) => html`${openSite(view)}
${givenFilters(path, found, wordsOf)}
${facetNavigation(path, found, facetsOf(found), wordsOf)}
${
  found.filters.verdict === undefined
    ? noticeBox('plain', 'Choose a verdict, and then a market, to list sites.')
    : html`${filterForm(view, path, found, [
        ['platform', 'On the platform'],
        ['payment_category', 'Takes payments by', 'such as card or open_banking'],
      ])}
${rowsPart(view, found, { path, nouns, table: () => siteTable.draw(found, view), sample: null })}`
}`,
}

export const domainSearchPages: Readonly<Record<string, Shown>> = {
  find_domains: domainsPage,
  buy_domains: {
    next: ({ filters }: { filters: Record<string, string> }) => addressOf(path, filters),
    form: 'find_domains',
  },
}
