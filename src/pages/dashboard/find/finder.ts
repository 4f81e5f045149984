import { plural } from '@baize/names'
import type { Bought } from '../../../features/look-ups/index.ts'
import type { SavedPage } from '../../../features/saved-pages/index.ts'
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
  savedPages,
  saveForm,
} from '../../components/index.ts'
import { type Content, type Html, html } from '../../html.ts'
import type { Page, Shown, TableOf, View } from '../../page.ts'

/** What the three searches answer alike. */
type Found = {
  filters: Record<string, string>
  page: number
  page_rows: number
  /** All rows that match; null if only a purchase shows it. */
  total: number | null
  price: number
  bought: Bought | null
  saved: readonly SavedPage[]
  nonce: string
}

export type Facet = { field: string; values: readonly { value: string; count: number }[] }

type Finder<Data extends Found> = {
  noun: 'companies' | 'licenses' | 'domains'
  title: string
  lead: string
  /** One and several, such as `Company` and `Companies`. */
  nouns: readonly [string, string]
  /** The rows that were bought, else the masked ones of the preview. */
  table: TableOf<Data>
  /** Text fields for what has no counts. */
  fields: readonly (readonly [name: string, label: string])[]
  /** The counts by filter that are free. */
  facets(data: Data): readonly Facet[]
  /** Returns words for the value of a filter. */
  words?(name: string, value: string): string
  /** Explains the rows, below them. */
  help?(view: View): Content
  /** Replaces the rows, such as before a filter is chosen. */
  instead?(data: Data, view: View): Content
}

const facetValuesMax = 12

function addressOf(path: string, filters: Record<string, string>, page = 1): string {
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
const filterName = (name: string): string => names[name] ?? memberName(name)

function filterWords(name: string, value: string): string {
  if (value === 'true') return 'yes'
  if (value === 'false') return 'none known'
  if (name === 'jurisdiction') return marketName(value)
  return name === 'geo' ? labelOf('country', value) : labelOf('category', value)
}

/** Makes the pages of a search: filters with counts, and rows that a button buys. */
export function finderPages<Data extends Found>(finder: Finder<Data>): Readonly<Record<string, Shown>> {
  const { noun, title, lead, table } = finder
  const path = `/dashboard/${noun}`
  const page: Page<Data> = {
    title,
    lead,
    tables: [table],
    body: (found, view) => html`${filterForm(view, path, found, finder.fields)}
${facetNavigation(path, found, finder)}
${finder.instead?.(found, view) || rowsPart(view, path, found, finder)}
${finder.help?.(view)}${listOffer(view, path, found, finder)}
${
  found.saved.length > 0 &&
  html`<section class="card" aria-labelledby="saved"><h2 id="saved">Saved</h2>
${savedPages(found.saved)}</section>`
}`,
  }
  const next = ({ filters: { page: at = '1', ...filters } }: Pick<Found, 'filters'>) =>
    addressOf(path, filters, Number(at))
  return { [`find_${noun}`]: page, [`buy_${noun}`]: { next, form: `find_${noun}` } }
}

function filterForm(view: View, path: string, { filters }: Found, fields: Finder<Found>['fields']): Html {
  const kept = Object.entries(filters).filter(([name]) => !fields.some(([each]) => each === name))
  return form(
    { action: path, method: 'get', submit: 'Search', name: 'Filters' },
    fields.map(([name, label]) => field(view, { name, label, value: filters[name] ?? '' })),
    kept.map(([name, value]) => hidden(name, value)),
  )
}

/** Draws the filters in use as links that remove them, and counts by value as links that add one. */
function facetNavigation<Data extends Found>(path: string, found: Data, finder: Finder<Data>): Content {
  const { words = filterWords } = finder
  const { filters } = found
  const given = Object.entries(filters).map(([name, value]) => {
    const { [name]: _, ...others } = filters
    const text = `${filterName(name)}: ${words(name, value)}`
    return html`<li><a href="${addressOf(path, others)}" aria-current="true">${text}</a></li>`
  })
  const open = finder
    .facets(found)
    .filter(each => filters[each.field] === undefined && each.values.length > 0)
  const counts = open.map(({ field: name, values }) => {
    const links = values.slice(0, facetValuesMax).map(({ value, count }) => {
      const href = addressOf(path, { ...filters, [name]: value })
      return html`<li><a href="${href}">${words(name, value)} <small>${number(count)}</small></a></li>`
    })
    return html`<div><span>${filterName(name)}</span><ul>${links}</ul></div>`
  })
  if (given.length + counts.length === 0) return null
  return html`<nav class="facets" aria-label="Counts by filter">
${given.length > 0 && html`<ul>${given}</ul>`}${counts}</nav>`
}

/** Shows how many rows match, and those of this page, or the button that buys them. */
function rowsPart<Data extends Found>(
  view: View,
  path: string,
  found: Data,
  { nouns, table }: Finder<Data>,
): Html {
  const { total, page, page_rows: size, price, bought, nonce, filters } = found
  if (total === 0) return emptyState('Nothing matches.', html`<a href="${path}">Without filters</a>`)
  const rows = total === null ? `up to ${size}` : price === 1 ? 'it' : `these ${number(price)}`
  const offer = (what: string, tone?: 'plain') =>
    offerForm(
      view,
      { action: path, what, credits: price, nonce, isLimit: total === null, tone },
      Object.entries(filters).map(([name, value]) => hidden(name, value)),
      page > 1 && hidden('page', page),
    )
  const last = total === null ? page + 1 : Math.ceil(total / size)
  const pages = pager(
    page < last ? addressOf(path, filters, page + 1) : null,
    page > 1 ? addressOf(path, filters, page - 1) : null,
  )
  return html`${
    total !== null && html`<p class="count"><b>${number(total)}</b> ${plural(total, nouns[0], nouns[1])}</p>`
  }
${bought && boughtNote(bought, offer("Get today's rows", 'plain'))}
${(bought !== null || page === 1) && table.draw(found, view)}
${bought === null && price > 0 && html`<div class="actions">${offer(`Show ${rows}`)}</div>`}${pages}`
}

/** Offers a list made by staff from this search. */
function listOffer<Data extends Found>(
  view: View,
  path: string,
  { filters, total }: Data,
  { nouns, words = filterWords }: Finder<Data>,
): Content {
  const given = Object.entries(filters).map(([name, value]) => `${filterName(name)}: ${words(name, value)}`)
  if (given.length === 0) return null
  const matching = total === null ? '' : ` ${number(total)} match today.`
  const request = `${nouns[1]} with ${given.join('; ')}.${matching}
${view.baseUrl}${addressOf(path, filters)}`
  const address = addressOf('/dashboard/prospect-lists', { request })
  return html`<section class="card" aria-labelledby="keep"><h2 id="keep">Keep this search</h2>
${saveForm(view, addressOf(path, filters), given.join('; ').slice(0, 120))}
<p><a class="button plain" href="${address}">Make a prospect list of these</a></p></section>`
}
