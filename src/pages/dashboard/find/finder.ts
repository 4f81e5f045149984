import { plural } from '@baize/names'
import type { Bought } from '../../../features/look-ups/index.ts'
import {
  boughtNote,
  emptyState,
  field,
  form,
  hidden,
  labelOf,
  marketName,
  memberName,
  number,
  offerForm,
  pager,
} from '../../components/index.ts'
import { type Content, type Html, html } from '../../html.ts'
import type { View } from '../../page.ts'

/** What the three searches answer alike. */
export type Found = {
  filters: Record<string, string>
  page: number
  page_rows: number
  /** All rows that match; null if only a purchase shows it. */
  total: number | null
  price: number
  bought: Bought | null
  nonce: string
}

export type Facet = { field: string; values: readonly { value: string; count: number }[] }

const valuesMax = 12

export function addressOf(path: string, filters: Record<string, string>, page = 1): string {
  const query = new URLSearchParams({ ...filters, ...(page > 1 && { page: String(page) }) })
  return query.size === 0 ? path : `${path}?${query}`
}

const names: Readonly<Record<string, string>> = {
  q: 'Text',
  jurisdiction: 'Market',
  geo: 'Place',
  has_platform: 'A known platform',
  affiliate_program: 'An affiliate program',
}

/** Returns words for a filter and for its values. */
const filterName = (name: string): string => names[name] ?? memberName(name)
export function filterValue(name: string, value: string): string {
  if (value === 'true') return 'yes'
  if (value === 'false') return 'none known'
  if (name === 'jurisdiction') return marketName(value)
  return name === 'geo' ? labelOf('country', value) : labelOf('category', value)
}

/** Draws the filters that are given as links that remove them. */
export function givenFilters(path: string, { filters }: Found, wordsOf = filterValue): Content {
  const given = Object.entries(filters).filter(([name]) => name !== 'q')
  const links = given.map(([name, value]) => {
    const { [name]: _, ...others } = filters
    const text = `${filterName(name)}: ${wordsOf(name, value)}`
    return html`<li><a href="${addressOf(path, others)}" aria-current="true">${text}</a></li>`
  })
  return links.length > 0 && html`<nav class="facets" aria-label="Filters in use"><ul>${links}</ul></nav>`
}

/** Draws counts by value, as links that add the value to the filters. */
export function facetNavigation(
  path: string,
  { filters }: Found,
  facets: readonly Facet[],
  wordsOf = filterValue,
): Content {
  const open = facets.filter(({ field, values }) => filters[field] === undefined && values.length > 0)
  const drawn = open.map(({ field, values }) => {
    const links = values.slice(0, valuesMax).map(({ value, count }) => {
      const href = addressOf(path, { ...filters, [field]: value })
      return html`<li><a href="${href}">${wordsOf(field, value)} <small>${number(count)}</small></a></li>`
    })
    return html`<div><span>${filterName(field)}</span><ul>${links}</ul></div>`
  })
  return drawn.length > 0 && html`<nav class="facets" aria-label="Counts by filter">${drawn}</nav>`
}

/** Draws the text field, and fields for what has no counts. Filters in use stay. */
export function filterForm(
  view: View,
  path: string,
  { filters }: Found,
  fields: readonly (readonly [name: string, label: string, hint?: string])[],
): Html {
  const drawn = fields.map(([name, label, hint]) =>
    field(view, { name, label, value: filters[name] ?? '', ...(hint !== undefined && { hint }) }),
  )
  const kept = Object.entries(filters).filter(([name]) => !fields.some(([each]) => each === name))
  return form(
    { action: path, method: 'get', submit: 'Search', name: 'Search' },
    drawn,
    kept.map(([name, value]) => hidden(name, value)),
  )
}

type Rows = {
  path: string
  /** One and several, such as `Company` and `Companies`. */
  nouns: readonly [string, string]
  /** Draws what was bought. */
  table: () => Html
  /** Draws the masked rows of the preview. */
  sample: Content
}

/** Shows how many rows match, and those of this page, or the button that buys them. */
export function rowsPart(view: View, found: Found, { path, nouns, table, sample }: Rows): Html {
  const { total, page, page_rows: size, price, bought, nonce, filters } = found
  const fields = [
    ...Object.entries(filters).map(([name, value]) => hidden(name, value)),
    page > 1 && hidden('page', page),
  ]
  const rows = total === null ? `up to ${size}` : price === 1 ? 'it' : `these ${number(price)}`
  const isLimit = total === null
  const offer = (what: string, tone?: 'plain') =>
    offerForm(view, { action: path, what, credits: price, nonce, isLimit, tone }, fields)
  const count =
    total !== null && html`<p class="count"><b>${number(total)}</b> ${plural(total, nouns[0], nouns[1])}</p>`
  if (total === 0) return emptyState('Nothing matches.', html`<a href="${path}">Without filters</a>`)
  const last = total === null ? page + 1 : Math.ceil(total / size)
  const pages = pager(
    page < last ? addressOf(path, filters, page + 1) : null,
    page > 1 ? addressOf(path, filters, page - 1) : null,
  )
  if (bought === null) return html`${count}${sample}${price > 0 && offer(`Show ${rows}`)}${pages}`
  return html`${count}${boughtNote(bought, offer("Get today's rows", 'plain'))}${table()}${pages}`
}

/** Offers a list made by staff from this search. */
export function listOffer(
  path: string,
  { filters, total }: Found,
  nouns: readonly [string, string],
  view: View,
) {
  const words = Object.entries(filters).map(
    ([name, value]) => `${filterName(name)}: ${filterValue(name, value)}`,
  )
  const matching = total === null ? '' : ` ${number(total)} match today.`
  const request = `${nouns[1]} with ${words.join('; ')}.${matching}
${view.baseUrl}${addressOf(path, filters)}`
  const address = addressOf('/dashboard/prospect-lists', { request })
  return (
    words.length > 0 &&
    html`<p><a class="button plain" href="${address}">Make a prospect list of these</a></p>`
  )
}
