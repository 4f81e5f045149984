import { type Content, type Html, html } from '../html.ts'

export type Column<Row> = {
  name: string
  cell(row: Row): Content
  /** Aligned by its digits. */
  isNumber?: boolean
  /** The name stands for people who do not see the page only. */
  isUnnamed?: boolean
}

const numberClass = ({ isNumber }: { isNumber?: boolean }) => isNumber === true && html` class="number"`

/** On narrow screens each row becomes a list of its columns' names and cells. */
export function table<Row>({
  name,
  columns,
  rows,
  id,
}: {
  name: string
  columns: readonly Column<Row>[]
  rows: readonly Row[]
  id?: string
}): Html {
  const head = columns.map(column => {
    const shown = column.isUnnamed ? html`<span class="unseen">${column.name}</span>` : column.name
    return html`<th scope="col"${numberClass(column)}>${shown}</th>`
  })
  const body = rows.map(row => {
    const cells = columns.map(
      column => html`<td${numberClass(column)} data-name="${column.name}">${column.cell(row)}</td>`,
    )
    return html`<tr>${cells}</tr>\n`
  })
  return html`<div class="scroll"><table${id && html` id="${id}"`}><caption class="unseen">${name}</caption>
<thead><tr>${head}</tr></thead>
<tbody>${body}</tbody></table></div>`
}
