import type { DomainsFound } from '../../../features/look-ups/index.ts'
import { defineTable, labelOf, marketName, noticeBox, siteColumns } from '../../components/index.ts'
import { html } from '../../html.ts'
import { type Facet, finderPages } from './finder.ts'

type Row = NonNullable<DomainsFound['bought']>['response']['domains'][number]

const geos = (of: readonly { geo: string }[]) => of.map(each => each.geo)

const siteTable = defineTable<DomainsFound, Row>('domains', ({ bought }) => ({
  name: 'Sites',
  columns: [
    ...siteColumns<Row>(({ verdict, licensed_by, blocked_by }) => ({
      verdict,
      licensed: geos(licensed_by),
      blocked: geos(blocked_by),
    })),
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
