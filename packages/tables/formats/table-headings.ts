/** Reads what stands above each table of a page, such as the heading of a section or the title of an accordion. */

import type { Columns } from '../description/table-schema.ts'
import { Refusal } from '../source/source-file.ts'
import { type Document, type Element, elementsOf } from './html-page.ts'
import { selectorsFor } from './page-selectors.ts'
import { cellText } from './table-element.ts'

type Headings = Record<string, string>

/** Returns the cells of the columns with `above` for each table: the nearest match above it on the page. */
export function headingsAbove(
  fileName: string,
  document: Document,
  tables: readonly Element[],
  columns: Columns,
): ReadonlyMap<Element, Headings> {
  const selectors = selectorsFor(fileName)
  const headings = Object.entries(columns).map(([name, { headers, optional }]) => {
    const selector = headers.join()
    return { name, selector, optional, isHeading: selectors.matches(selector), text: '' }
  })
  const above = new Map<Element, Headings>()
  if (headings.length === 0) return above
  const wanted = new Set(tables)
  for (const element of elementsOf(document)) {
    for (const heading of headings) if (heading.isHeading(element)) heading.text = cellText(element)
    if (wanted.has(element))
      above.set(element, Object.fromEntries(headings.map(({ name, text }) => [name, text])))
  }
  for (const { name, selector, optional } of headings)
    if (optional !== true && above.values().every(cells => cells[name] === ''))
      throw new Refusal(`"${fileName}": expected [${selector}] above a table, found none`)
  return above
}
