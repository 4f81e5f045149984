import { type Content, type Html, html } from '../html.ts'
import { type Column, type DataTable, facetValue } from './table.ts'
import { type TableAddress, tableLink } from './table-address.ts'
import { number } from './text.ts'
import { memberName } from './words.ts'

/** Fewer rows need no filter. */
const facetRowsMin = 5
const facetValuesMax = 12

/** Returns the links of a table's heads, by column. The link of a sorted column reverses its order. */
export function sortLinks<Row>(
  columns: readonly Column<Row>[],
  address: TableAddress,
): ReadonlyMap<string, { href: string; order: 'ascending' | 'descending' | null }> {
  const keys = columns.flatMap(({ key, isNumber = false, isFileOnly = false }) =>
    key === undefined || isFileOnly ? [] : [{ key, isNumber }],
  )
  return new Map(
    keys.map(({ key, isNumber }) => {
      const [isUp, isDown] = [address.sort === key, address.sort === `-${key}`]
      const isNextDown = isUp || (isNumber && !isDown)
      const href = tableLink(address, { sort: isNextDown ? `-${key}` : key })
      return [key, { href, order: isUp ? 'ascending' : isDown ? 'descending' : null } as const]
    }),
  )
}

/** Links the values of some columns to their rows, with the number of these. */
export function facetLinks<Row>({ columns, rows, name }: DataTable<Row>, address: TableAddress): Content {
  if (rows.length < facetRowsMin) return null
  const facets = columns.filter(({ isFacet }) => isFacet).map(column => facet(column, rows, address))
  const shown = facets.filter(each => each !== null)
  return shown.length > 0 && html`<nav class="facets" aria-label="Filter: ${name}">${shown}</nav>`
}

function facet<Row>(column: Column<Row>, rows: readonly Row[], address: TableAddress): Html | null {
  const { key = '', name, facetName = memberName } = column
  const counts = Map.groupBy(rows, row => facetValue(column, row))
  if (counts.size < 2 || counts.size > facetValuesMax) return null
  const others = address.where.filter(each => !each.startsWith(`${key}:`))
  const links = [...counts].map(([value, of]) => {
    const isChosen = address.where.includes(`${key}:${value}`)
    const href = tableLink(address, { where: isChosen ? others : [...others, `${key}:${value}`] })
    const text = html`${value === '' ? 'none' : facetName(value)} <small>${number(of.length)}</small>`
    return html`<li><a href="${href}"${isChosen && html` aria-current="true"`}>${text}</a></li>`
  })
  return html`<div><span>${name}</span><ul>${links}</ul></div>`
}

/** Links the orders of a table for narrow screens, which show no heads. */
export function orderLinks<Row>({ columns, name }: DataTable<Row>, address: TableAddress): Html {
  const links = [...sortLinks(columns, address)].map(([key, { href, order }]) => {
    const current = order !== null && html` aria-current="true"`
    return html`<a href="${href}"${current}>${columns.find(each => each.key === key)?.name}</a> `
  })
  return html`<nav class="orders" aria-label="Sort: ${name}">Sort by ${links}</nav>`
}

/** Links the files with the rows of a table. */
export const fileLinks = <Row>({ name, hasOwnCsv }: DataTable<Row>, address: TableAddress): Html =>
  html`<nav class="files" aria-label="Files: ${name}">${
    !hasOwnCsv && html`<a href="${tableLink(address, {}, '.csv')}">CSV</a>`
  }
<a href="${tableLink(address, {}, '.json')}">JSON</a></nav>`
