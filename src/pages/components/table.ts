import { type Content, type Html, html } from '../html.ts'

export type Column<Row> = {
  name: string
  cell(row: Row): Content
  /** Aligned by its digits. */
  isNumber?: boolean
  /** The name stands for people who do not see the page only. */
  isUnnamed?: boolean
}

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
  const head = columns.map(
    column =>
      html`<th scope="col"${column.isNumber && html` class="number"`}>${column.isUnnamed ? html`<span class="unseen">${column.name}</span>` : column.name}</th>`,
  )
  const body = rows.map(
    row =>
      html`<tr>${columns.map(
        column =>
          html`<td${column.isNumber && html` class="number"`} data-name="${column.name}">${column.cell(row)}</td>`,
      )}</tr>`,
  )
  return html`<div class="scroll"><table${id && html` id="${id}"`}><caption class="unseen">${name}</caption><thead><tr>${head}</tr></thead><tbody>${body}</tbody></table></div>`
}
