import { UsageError } from './command.ts'

/**
 * A file of domains: one domain on each line, or a table with a column of domains, as spreadsheets save it.
 */
export type Sheet = {
  encoding: 'utf-8' | 'utf-16le' | 'utf-16be'
  hasMark: boolean
  /** The delimiter; null for a list of one domain on each line. */
  delimiter: string | null
  /** The titles of the columns; empty for a list. */
  titles: string[]
  hasHeader: boolean
  /** The index of the column of domains. */
  column: number
  /** The rows that are not blank. Each has as many cells as there are titles. */
  rows: string[][]
}

const delimiters = [';', '\t', ','] as const
/** Matches common titles for a column of domains. */
const domainTitle = /^(?:domain|url|web ?site|site|host|home ?page|web)(?: ?name|s| address)?$/i
const domainLike = /^(?:[a-z][a-z0-9+.-]*:\/\/)?[^\s/?#@,;]+\.[^\s/?#@,;.]{2,}(?:[/?#:]\S*)?$/iu
/** The share of lines with a delimiter in a table. Rows with only a first cell may lack it. */
const delimitedShareMin = 0.9
/** The number of first rows that decide which column has the domains. */
const rowsLookedAtMax = 1_000

/** Reads a file. `wanted` is the title of the column of domains, or its number from 1. */
export function readSheet(bytes: Uint8Array, wanted?: string): Sheet {
  const { text, encoding, hasMark } = decode(bytes)
  const declared = /^sep=(.)\r?\n/.exec(text)
  const body = declared === null ? text : text.slice(declared[0].length)
  const delimiter = declared?.[1] ?? delimiterOf(body)
  if (delimiter === null) {
    if (wanted !== undefined) throw new UsageError('The file has one column: omit --column.')
    return { encoding, hasMark, delimiter, titles: [], hasHeader: false, column: 0, rows: listed(body) }
  }
  const [first = [], ...others] = split(body, delimiter).filter(row => row.some(cell => cell.trim() !== ''))
  const hasHeader = !first.some(cell => domainLike.test(cell.trim()))
  const rows = hasHeader ? others : [first, ...others]
  const width = Math.max(first.length, ...rows.map(row => row.length))
  const titleOf = (at: number) => (hasHeader && first[at]?.trim()) || `column_${at + 1}`
  const titles = Array.from({ length: width }, (_, at) => titleOf(at))
  const whole = rows.map(row => titles.map((_, at) => row[at] ?? ''))
  return {
    encoding,
    hasMark,
    delimiter,
    titles,
    hasHeader,
    column: columnOf(titles, whole, wanted),
    rows: whole,
  }
}

/** Reads a list. Lines that begin with # are comments. A first line such as `domain` is a title. */
function listed(text: string): string[][] {
  const lines = text
    .split(/\r\n|\n|\r/)
    .map(line => line.trim().replace(/^"(.*)"$/, '$1'))
    .filter(line => line !== '' && !line.startsWith('#'))
  if (domainTitle.test(lines[0] ?? '')) lines.shift()
  return lines.map(line => [line])
}

/** Decodes a file. UTF-16 is detected by its byte order mark, or by the zero bytes of Latin letters. */
function decode(bytes: Uint8Array): { text: string; encoding: Sheet['encoding']; hasMark: boolean } {
  const [one, two, three, four] = bytes
  const little = (one === 0xff && two === 0xfe) || (two === 0 && four === 0 && one !== 0)
  const big = (one === 0xfe && two === 0xff) || (one === 0 && three === 0 && two !== 0)
  const encoding = little ? 'utf-16le' : big ? 'utf-16be' : 'utf-8'
  // A TextDecoder drops the byte order mark.
  const text = new TextDecoder(encoding).decode(bytes)
  const hasMark = (one === 0xff && two === 0xfe) || (one === 0xfe && two === 0xff) || one === 0xef
  return { text, encoding, hasMark: hasMark && (one !== 0xef || two === 0xbb) }
}

/**
 * Returns the delimiter of the first line that nearly all lines have, because a single URL may contain one
 * by chance.
 */
function delimiterOf(text: string): string | null {
  const lines = text
    .split(/\r\n|\n|\r/, rowsLookedAtMax)
    .filter(line => line.trim() !== '' && !line.startsWith('#'))
    .map(line => line.replaceAll(/"[^"]*"/g, ''))
  const [first = ''] = lines
  const shareWith = (delimiter: string) =>
    lines.filter(line => line.includes(delimiter)).length / lines.length
  const found = delimiters
    .map(delimiter => ({ delimiter, cells: first.split(delimiter).length }))
    .filter(({ delimiter, cells }) => cells > 1 && shareWith(delimiter) >= delimitedShareMin)
    .sort((one, other) => other.cells - one.cells)
  return found[0]?.delimiter ?? null
}

/** Splits CSV (RFC 4180) with any kind of line end. */
function split(text: string, delimiter: string): string[][] {
  const rows: string[][] = []
  let row: string[] = []
  let cell = ''
  let isQuoted = false
  const endCell = () => {
    row.push(cell)
    cell = ''
  }
  for (let at = 0; at < text.length; at++) {
    const sign = text[at] as string
    if (isQuoted) {
      if (sign !== '"') cell += sign
      else if (text[at + 1] === '"') cell += text[++at]
      else isQuoted = false
    } else if (sign === '"' && cell === '') isQuoted = true
    else if (sign === delimiter) endCell()
    else if (sign === '\n' || sign === '\r') {
      if (sign === '\r' && text[at + 1] === '\n') at++
      endCell()
      rows.push(row)
      row = []
    } else cell += sign
  }
  if (isQuoted) throw new UsageError('The file ends inside of a quoted cell; a closing " is missing.')
  if (cell !== '' || row.length > 0) {
    endCell()
    rows.push(row)
  }
  return rows
}

function columnOf(titles: readonly string[], rows: readonly string[][], wanted?: string): number {
  if (wanted !== undefined) {
    const named = titles.findIndex(title => title.toLowerCase() === wanted.toLowerCase())
    const at = named >= 0 ? named : /^\d+$/.test(wanted) ? Number(wanted) - 1 : -1
    if (titles[at] !== undefined) return at
    throw new UsageError(`There is no column "${wanted}"; there are ${titles.join(', ')}.`)
  }
  const counts = titles.map(
    (_, at) => rows.slice(0, rowsLookedAtMax).filter(row => domainLike.test((row[at] ?? '').trim())).length,
  )
  const most = Math.max(...counts)
  const titled = titles.findIndex((title, at) => domainTitle.test(title) && (counts[at] ?? 0) > 0)
  if (titled >= 0) return titled
  if (most === 0) throw new UsageError(`No column has domains. Name it: --column ${titles[0]}`)
  const best = counts.filter(count => count === most).length
  if (best > 1)
    throw new UsageError(
      `Several columns have domains. Name one of them: --column "${titles.join('" or "')}"`,
    )
  return counts.indexOf(most)
}

/** Encodes text in the encoding of the file, with its byte order mark. */
export function encode(text: string, { encoding, hasMark }: Pick<Sheet, 'encoding' | 'hasMark'>): Buffer {
  const marked = Buffer.from(hasMark ? `\uFEFF${text}` : text, encoding === 'utf-8' ? 'utf8' : 'utf16le')
  return encoding === 'utf-16be' ? marked.swap16() : marked
}
