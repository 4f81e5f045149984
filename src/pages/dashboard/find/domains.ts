import type { DomainsFound } from '../../../features/look-ups/index.ts'
import {
  defineTable,
  domainLink,
  inSentence,
  labelOf,
  marketLink,
  marketName,
  noticeBox,
  verdictBadge,
} from '../../components/index.ts'
import { html } from '../../html.ts'
import { type Facet, finderPages } from './finder.ts'

type Row = NonNullable<DomainsFound['bought']>['response']['domains'][number]

const marketsOf = (of: readonly { geo: string }[]) => [...new Set(of.map(each => each.geo))]

const siteTable = defineTable<DomainsFound, Row>('domains', ({ bought }) => ({
  name: 'Sites',
  columns: [
    { name: 'Site', cell: row => domainLink(row.domain), key: 'domain' },
    { name: 'Verdict', cell: row => verdictBadge(row.verdict), key: 'verdict' },
    {
      name: 'Licensed in',
      cell: row => inSentence(marketsOf(row.licensed_by).map(marketLink)),
      key: 'licensed_in',
      value: row => marketsOf(row.licensed_by).map(marketName),
    },
    {
      name: 'Blocked in',
      cell: row => inSentence(marketsOf(row.blocked_by).map(marketLink)),
      key: 'blocked_in',
      value: row => marketsOf(row.blocked_by).map(marketName),
    },
    { name: 'Platform', cell: row => (row.platform_present ? 'known' : ''), key: 'platform_present' },
  ],
  rows: bought?.response.domains ?? [],
  empty: html``,
}))

const verdicts = ['licensed', 'blocklisted', 'mixed'] as const

function facetsOf({ preview, filters: { verdict, geo = '' } }: DomainsFound): Facet[] {
  const counts = preview.map(each => ({ ...each, value: each.geo, count: each.domains }))
  return [
    {
      field: 'verdict',
      values: verdicts.flatMap(value => {
        const found = counts.find(each => each.verdict === value && each.geo === geo)
        return found === undefined ? [] : [{ value, count: found.count }]
      }),
    },
    {
      field: 'geo',
      values: counts
        .filter(each => each.verdict === verdict && each.geo !== '')
        .toSorted((one, other) => other.count - one.count),
    },
  ]
}

export const domainSearchPages = finderPages<DomainsFound>({
  noun: 'domains',
  title: 'Sites',
  lead: 'List the sites of a verdict; the box above opens one site. Counts are free; a row costs 1 credit.',
  nouns: ['site', 'sites'],
  table: siteTable,
  fields: [
    ['platform', 'On the platform'],
    ['payment_category', 'Takes payments by (card, crypto …)'],
  ],
  facets: facetsOf,
  // The parameter `geo` of this search is the market of a regulator.
  words: (name, value) => (name === 'geo' ? marketName(value) : labelOf('category', value)),
  instead: ({ filters }) =>
    filters.verdict === undefined &&
    noticeBox('plain', 'Choose a verdict, and then a market, to list sites.'),
})
