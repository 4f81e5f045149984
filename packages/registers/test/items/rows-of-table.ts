/** Splits CSV, workbooks and PDFs into rows of cells, without their headers. */
import { unzipParts } from '@baize/tables/test/make-files'
import { parseFragment } from 'parse5'
import { type Form, plain, type Register } from './item.ts'

/** Returns the delimiter that the lines at the beginning have most often; undefined for a list of hosts. */
export function delimiterOf(text: string): string | undefined {
  const opening = text.split(/[\r\n]+/, 20).join('\n')
  const counted = ['\t', ';', ','].map(each => [each, opening.split(each).length - 1] as const)
  return counted.filter(([, count]) => count > 1).toSorted(([, one], [, other]) => other - one)[0]?.[0]
}

export function recordsOfCsv(text: string, delimiter: string): string[][] {
  const records: string[][] = [[]]
  let cell = ''
  let isQuoted = false
  const end = () => {
    records.at(-1)?.push(cell)
    cell = ''
  }
  for (let at = 0; at < text.length; at += 1) {
    const letter = text[at]
    if (letter === '"' && isQuoted && text[at + 1] === '"') cell += text[++at]
    else if (letter === '"' && (isQuoted || cell === '')) isQuoted = !isQuoted
    else if (isQuoted) cell += letter
    else if (letter === delimiter) end()
    else if (letter === '\n' || letter === '\r') {
      end()
      records.push([])
    } else cell += letter
  }
  end()
  return records
}

const unescaped = (text: string) =>
  parseFragment(text)
    .childNodes.map(node => ('value' in node ? node.value : ''))
    .join('')

/** Returns the rows of all sheets. A merged cell is only in the first of its rows. */
export function rowsOfWorkbook(bytes: Buffer): string[][] {
  const parts = unzipParts(bytes)
  const partOf = (name: string) => parts.get(name)?.toString() ?? ''
  const strings = partOf('xl/sharedStrings.xml').split('<si').slice(1).map(shown)
  return [...parts.keys()]
    .filter(name => /worksheets\/[^/]*\.xml$/.test(name))
    .flatMap(name =>
      partOf(name)
        .split(/<row[\s>]/)
        .slice(1),
    )
    .map(row =>
      [...row.matchAll(/<c\s([^>]*?)(?:\/>|>([\s\S]*?)<\/c>)/g)].map(([, attributes = '', content = '']) =>
        / t="s"/.test(` ${attributes}`)
          ? (strings[Number(/<v>(\d+)/.exec(content)?.[1])] ?? '')
          : shown(content),
      ),
    )
}

const shown = (xml: string) =>
  [...xml.matchAll(/<[tv](?:\s[^>]*)?>([^<]*)/g)].map(([, text = '']) => unescaped(text)).join('')

/** Returns the lines of a PDF that a test made, a text for each cell, without those declared as ignored. */
export function linesOfPdf(bytes: Buffer, ignore: string | undefined): string[][] {
  const isIgnored = ignore === undefined ? () => false : wholeLine(ignore)
  return bytes
    .toString('latin1')
    .split('endstream')
    .flatMap(page => {
      const texts = [...page.matchAll(/BT \/F1 10 Tf \S+ (\S+) Td \(((?:\\.|[^\\])*?)\) Tj/g)]
      return [...Map.groupBy(texts, ([, base]) => base).values()]
    })
    .map(line => line.map(([, , text = '']) => text.replaceAll(/\\(.)/g, '$1').replaceAll('\r', '?')))
    .filter(line => !isIgnored(line.join(' ')))
}

export const wholeLine = (pattern: string) => {
  const expression = new RegExp(`^(?:${pattern})$`, 'u')
  return (line: string) => expression.test(line)
}

const headRows = 15

/** Returns a function that counts the cells of a row that are headers. */
export function headersIn({ layout }: Register, { columns = {}, row_for_each = [] }: Form) {
  const headers = Object.values(columns).flatMap(column =>
    column.headers.map(header => header.replace(/@href$/, '')),
  )
  const names = [...headers, ...row_for_each, ...(layout?.columns ?? [])].flatMap(name => [
    name,
    ...name.split(' / '),
  ])
  const known = new Set(names.map(plain))
  return (row: readonly string[]) => row.filter(cell => plain(cell) !== '' && known.has(plain(cell))).length
}

/** Leaves out the titles and the header, and rows that repeat the header. */
export function belowHeader(rows: readonly string[][], register: Register, form: Form): string[][] {
  const known = headersIn(register, form)
  const filled = (row: readonly string[]) => row.filter(cell => cell.trim() !== '').length
  const titles = rows.findIndex(row => filled(row) > 1)
  const last = Math.max(
    titles - 1,
    rows.slice(0, headRows).findLastIndex(row => known(row) > 0),
  )
  return rows.filter((row, index) => index > last && !isHeaderRow(row, known))
}

/** Detects a repeated header, and a row that numbers the columns. */
export function isHeaderRow(row: readonly string[], known: (row: readonly string[]) => number): boolean {
  const cells = row.filter(cell => cell.trim() !== '')
  return (
    (known(row) > 0 && known(row) * 3 >= cells.length) ||
    (cells.length > 2 && cells.every((cell, at) => cell === `${at + 1}`))
  )
}
