/** Builds fixtures in official layouts, with fictional names in the same order at each call. */

export type OfficialAnswer = {
  /** The address in `official.files`, or the one that a link on an index page leads to. */
  url: string
  /** The media type that the site sends. */
  type: string
  body: () => Uint8Array
  /** Marks a page that links to the file. */
  isIndex?: true
}

export const answer = (url: string, type: string, body: () => Uint8Array | string): OfficialAnswer => ({
  url,
  type,
  body: () => {
    const content = body()
    return typeof content === 'string' ? new TextEncoder().encode(content) : content
  },
})

export const indexPage = (url: string, body: () => string): OfficialAnswer => ({
  ...answer(url, 'text/html; charset=utf-8', body),
  isIndex: true,
})

const kinds = ['Lucky', 'Golden', 'Silver', 'Red', 'Northern', 'Royal', 'Wild', 'Happy']
const animals = ['Otter', 'Heron', 'Fox', 'Carp', 'Badger', 'Swan', 'Lynx']

/** Returns `count` different names. Those after the first 56 end in a number. */
export function fictionalNames(count: number): string[] {
  return Array.from({ length: count }, (_, index) => {
    const round = Math.floor(index / (kinds.length * animals.length))
    const name = `${kinds[index % kinds.length]} ${animals[index % animals.length]}`
    return round === 0 ? name : `${name} ${round + 1}`
  })
}

/** Makes a site of a name, such as `lucky-otter.example`. */
export const siteOf = (name: string) => `${name.toLowerCase().replaceAll(' ', '-')}.example`

/** Counts days from 1 January 2024, which has index 0. */
export const dayAt = (index: number) => new Date(Date.UTC(2024, 0, 1 + index))

/** Prints a day: `05.01.2024` with `.`, `05/01/2024` with `/`. */
export function dayFirst(day: Date, separator: string): string {
  const [year, month, date] = day.toISOString().slice(0, 10).split('-')
  return [date, month, year].join(separator)
}

export const isoDay = (day: Date) => day.toISOString().slice(0, 10)

export const csvOf = (rows: readonly (readonly string[])[], delimiter: string, lineEnd = '\r\n') =>
  rows.map(cells => cells.map(cell => quoted(cell, delimiter)).join(delimiter) + lineEnd).join('')

const quoted = (cell: string, delimiter: string) =>
  cell.includes(delimiter) || /["\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell

export const escaped = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')

export const pageOf = (title: string, body: string) =>
  `<!DOCTYPE html>\n<html>\n<head><meta charset="utf-8"><title>${title}</title></head>\n<body>\n` +
  `<nav><a href="/">Home</a> <a href="https://social.example/regulator">Follow us</a></nav>\n${body}\n` +
  '<footer><a href="mailto:info@regulator.example">Contact</a></footer>\n</body>\n</html>\n'

export const linkOf = (href: string, content: string) => `<a href="${href}">${content}</a>`

export const rowOf = (cells: readonly string[], tag = 'td') =>
  `<tr>${cells.map(cell => `<${tag}>${cell}</${tag}>`).join('')}</tr>`

/** Returns an HTML table with a header row. The cells are HTML. */
export function tableOf(header: readonly string[], rows: readonly (readonly string[])[]): string {
  const body = rows.map(cells => rowOf(cells)).join('\n')
  return `<table>\n<thead>${rowOf(header, 'th')}</thead>\n<tbody>\n${body}\n</tbody></table>`
}

/** Returns the rows of a sheet for `workbook` in described/fixture.ts. Numbers are stored as numbers. */
export function sheetOf(rows: readonly (readonly string[])[]): string {
  const cell = (text: string, place: string) =>
    /^[1-9]\d{0,8}$/.test(text)
      ? `<c r="${place}"><v>${text}</v></c>`
      : `<c r="${place}" t="inlineStr"><is><t>${escaped(text)}</t></is></c>`
  const letters = (column: number) => String.fromCharCode(65 + column)
  return rows
    .map((cells, row) => {
      const filled = cells.flatMap((text, column) =>
        text === '' ? [] : cell(text, letters(column) + (row + 1)),
      )
      return `<row r="${row + 1}">${filled.join('')}</row>`
    })
    .join('')
}
