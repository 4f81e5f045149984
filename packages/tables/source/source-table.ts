/** Reads delimited tables by column names, because registers add, drop and move columns without notice. */
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { CsvError, type Parser, parse } from 'csv-parse'
import { Refusal, type SourceFile } from './source-file.ts'
import { readText, type TextEncoding } from './source-text.ts'

export const titleRowsMaxDefault = 10
export const rowCharactersMax = 65_536
const lineEnds = ['\r\n', '\n', '\r']

type Column = {
  /** The spellings of its header. `#2` is the second column, whatever its header. */
  headers: readonly string[]
  optional?: boolean
  /** Reads the first of several columns with its header. */
  first?: boolean
  /**
   * Reads the addresses of the links in the cell, one for each line, in place of its text. `or_text` reads
   * the text if there is no link.
   */
  link?: 'only' | 'or_text'
}

export type Layout<Name extends string> = Readonly<Record<Name, Column>>

export type TableForm = { encoding: TextEncoding; delimiter: ',' | ';' | '\t' | '|' }

export type TableRow<Name extends string> =
  /** A row. `line` is a spreadsheet's row number. Cells are not trimmed; an absent optional column is ''. */
  | { kind: 'row'; line: number; cells: Record<Name, string> }
  | { kind: 'misshapen'; line: number; published: string }
  | { kind: 'unknown_column'; name: string }
  | { kind: 'notice'; notice: string; published: string }

/** Returns the key of the layout that matches the file's header. Throws a Refusal if none does. */
export async function layoutOf<Key extends string>(
  file: SourceFile,
  form: TableForm,
  layouts: Readonly<Record<Key, Layout<string>>>,
): Promise<Key> {
  const source = readRecords(file, form)
  const range = { titleRowsMax: titleRowsMaxDefault, headerRows: 1 }
  const { header } = await findHeader(file.name, source, Object.values(layouts), range)
  await source.return()
  const key = (Object.keys(layouts) as Key[]).find(each => hasColumns(header, layouts[each]))
  if (key === undefined) throw new Refusal(`"${file.name}": no layout has its header`)
  return key
}

export async function* readDelimited<Name extends string>(
  file: SourceFile,
  form: TableForm,
  layout: Layout<Name>,
): AsyncGenerator<TableRow<Name>, void> {
  yield* rowsBelowHeader(file.name, readRecords(file, form), layout, { delimiter: form.delimiter })
}

const titleNotice = 'a cell across several columns is no row'
const unnamedNotice = 'values below no header, not read'

/** `hasPlaces` means that a row may be shorter or longer than the header, because each cell has its place. */
type BelowHeader = { titleRowsMax?: number; headerRows?: number; delimiter?: string; hasPlaces?: boolean }

/** Reads any table as rows of named cells. The first record with the layout's columns is the header. */
export async function* rowsBelowHeader<Name extends string>(
  name: string,
  records: AsyncGenerator<TableRecord, void>,
  layout: Layout<Name>,
  options: BelowHeader = {},
): AsyncGenerator<TableRow<Name>, void> {
  const { titleRowsMax = titleRowsMaxDefault, headerRows = 1, delimiter = ' | ', hasPlaces = false } = options
  const { header, rest } = await findHeader(name, records, [layout], { titleRowsMax, headerRows })
  const names = Object.keys(layout) as Name[]
  const places = names.map(name => header.findIndex((cell, place) => isNamed(cell, layout[name], place)))
  for (const [place, cell] of header.entries()) {
    if (!places.includes(place) && cell.trim() !== '') yield { kind: 'unknown_column', name: cell.trim() }
  }
  const unnamed = new Set<number>()
  for await (const { line, cells, links, isTitle } of rest) {
    if (cells.every(cell => cell.trim() === '') || isRepeated(header, cells)) continue
    if (isTitle === true) {
      yield { kind: 'notice', notice: titleNotice, published: cells[0] ?? '' }
      continue
    }
    const surplus = cells.slice(header.length)
    const isMisshapen = cells.length < header.length || surplus.some(cell => cell.trim() !== '')
    if (isMisshapen && !hasPlaces) {
      yield { kind: 'misshapen', line, published: cells.join(delimiter) }
      continue
    }
    for (const [place, cell] of cells.entries())
      if (cell.trim() !== '' && (header[place] ?? '').trim() === '' && !unnamed.has(place)) {
        unnamed.add(place)
        yield { kind: 'notice', notice: unnamedNotice, published: cell }
      }
    const named = {} as Record<Name, string>
    for (const [index, name] of names.entries()) {
      const { link } = layout[name]
      const place = places[index] ?? -1
      const text = link === 'only' ? '' : (cells[place] ?? '')
      named[name] = (link !== undefined && links?.[place]) || text
    }
    yield { kind: 'row', line, cells: named }
  }
}

/** Detects a repeated header. Long tables repeat it, in print on each page. */
const isRepeated = (header: readonly string[], cells: readonly string[]) =>
  header.length > 1 && header.every((cell, place) => plain(cell) === plain(cells[place] ?? ''))

/**
 * A row of a table. `links` has the addresses of the links in each cell, and `isTitle` means that one cell
 * spans the row. `continues` has the places that repeat the cell on their left, which alone names a column.
 */
export type TableRecord = {
  line: number
  cells: string[]
  links?: string[]
  isTitle?: boolean
  continues?: ReadonlySet<number>
}

export async function* readRecords(file: SourceFile, form: TableForm): AsyncGenerator<TableRecord, void> {
  const parser: Parser = parse({
    delimiter: form.delimiter,
    // Named, because the parser would expect the first line's end behind all others.
    record_delimiter: lineEnds,
    info: true,
    relax_column_count: true,
    relax_quotes: true,
    skip_empty_lines: true,
    max_record_size: rowCharactersMax,
  })
  // An error also destroys the parser, so the loop below throws it.
  const flow = pipeline(
    Readable.from(readText(file, { encoding: form.encoding, markup: 'none' })),
    parser,
  ).catch(() => {})
  try {
    for await (const { record, info } of parser)
      yield { line: info.records + info.empty_lines, cells: record }
  } catch (error) {
    if (error instanceof Refusal) throw error
    const code = error instanceof CsvError ? error.code : ''
    throw new Refusal(`"${file.name}" is not a table: ${problems[code] ?? 'it has no rows of cells'}`, {
      cause: error,
    })
  } finally {
    parser.destroy()
    await flow
  }
}

const problems: Readonly<Record<string, string>> = {
  CSV_QUOTE_NOT_CLOSED: 'it ends inside a quoted cell and may be cut off',
  CSV_MAX_RECORD_SIZE: `it has a row longer than ${rowCharactersMax} characters`,
}

type HeaderRange = { titleRowsMax: number; headerRows: number }

async function findHeader(
  name: string,
  source: AsyncGenerator<TableRecord, void>,
  layouts: readonly Layout<string>[],
  { titleRowsMax, headerRows }: HeaderRange,
): Promise<{ header: string[]; rest: AsyncGenerator<TableRecord, void> }> {
  const above: string[][] = []
  while (above.length < titleRowsMax + headerRows) {
    const next = await source.next()
    if (next.done) break
    const { cells, continues } = next.value
    above.push(cells.map((cell, place) => (continues?.has(place) ? '' : cell)))
    const header = headerOf(above.slice(-headerRows))
    if (above.length >= headerRows && layouts.some(layout => hasColumns(header, layout)))
      return { header, rest: source }
  }
  await source.return()
  const expected = layouts.map(layout => `[${requiredNames(layout).join(' | ')}]`).join(' or ')
  const found =
    fullest(above)
      ?.map(cell => cell.trim())
      .join(' | ') ?? 'nothing'
  throw new Refusal(`"${name}": expected the columns ${expected}, found [${found.slice(0, 400)}]`)
}

/** Checks whether the table has a header with these columns. A broken table has none. */
export async function hasHeader(
  name: string,
  records: AsyncGenerator<TableRecord, void>,
  layout: Layout<string>,
  range: HeaderRange,
): Promise<boolean> {
  try {
    await findHeader(name, records, [layout], range)
    return true
  } catch (error) {
    if (error instanceof Refusal) return false
    throw error
  } finally {
    await records.return()
  }
}

/**
 * Returns the first row with at least half as many cells as the fullest. It is probably the changed header
 * and no title.
 */
function fullest(rows: readonly string[][]): string[] | undefined {
  const most = Math.max(0, ...rows.map(filled))
  return rows.find(cells => filled(cells) * 2 >= most)
}

const filled = (cells: readonly string[]) => cells.filter(cell => cell.trim() !== '').length

/**
 * Joins header rows: `Websites |` above `casino | betting` is `Websites / casino | Websites / betting`. A
 * merged cell of the upper row belongs to the cells below it. A cell that spans both rows is named once.
 */
export function headerOf(rows: readonly string[][]): string[] {
  const width = Math.max(0, ...rows.map(cells => cells.length))
  const last = rows.length - 1
  const names: string[][] = Array.from({ length: width }, () => [])
  for (const [index, cells] of rows.entries()) {
    let merged = ''
    for (let place = 0; place < width; place += 1) {
      const cell = (cells[place] ?? '').trim()
      merged = cell === '' && index < last ? merged : cell
      const below = rows.slice(index + 1).some(each => (each[place] ?? '').trim() !== '')
      const text = cell === '' && !below ? '' : merged
      if (text !== '' && names[place]?.at(-1) !== text) names[place]?.push(text)
    }
  }
  return names.map(parts => parts.join(' / '))
}

/** Checks that each required column occurs once, and each optional one at most once. */
export function hasColumns(header: readonly string[], layout: Layout<string>): boolean {
  return Object.values(layout).every(column => {
    const places = header.filter((cell, place) => isNamed(cell, column, place))
    if (places.length === 0) return column.optional === true
    return places.length === 1 || column.first === true
  })
}

const requiredNames = (layout: Layout<string>) =>
  Object.values(layout).flatMap(column => (column.optional === true ? [] : column.headers.slice(0, 1)))

const isNamed = (cell: string, { headers }: Column, place: number) =>
  headers.some(name => plain(name) === plain(cell) || name === `#${place + 1}`)

/** Folds a name, because case, white space and typographic variants do not distinguish names. */
export const plain = (name: string) => name.normalize('NFKC').replaceAll(/\s+/g, ' ').trim().toLowerCase()
