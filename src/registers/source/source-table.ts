/** Delimited tables, read by column names: registers add, drop and move columns without notice. */
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { CsvError, type Parser, parse } from 'csv-parse'
import { Refusal, type SourceFile } from '../stream.ts'
import { type Encoding, readText } from './source-text.ts'

export const titleRowsMaxDefault = 10
export const rowCharactersMax = 65_536

type Column = {
  names: readonly string[]
  optional?: true
  /** The addresses of the links in the cell, a line each: instead of its text, or its text if it has none. */
  link?: 'only' | 'or_text'
}

export type Layout<Name extends string> = Readonly<Record<Name, Column>>

export type TableForm = { encoding: Encoding; delimiter: ',' | ';' | '\t' | '|' }

export type TableRow<Name extends string> =
  /** `line` is a spreadsheet's row number. Cells are not trimmed; an absent optional column is ''. */
  | { kind: 'row'; line: number; cells: Record<Name, string> }
  | { kind: 'misshapen'; line: number; published: string }
  | { kind: 'unknown_column'; name: string }

/** Which of the layouts matches the file's header. Throws a Refusal if none does. */
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

export async function* readTable<Name extends string>(
  file: SourceFile,
  form: TableForm,
  layout: Layout<Name>,
): AsyncGenerator<TableRow<Name>, void> {
  yield* rowsBelowHeader(file.name, readRecords(file, form), layout, { delimiter: form.delimiter })
}

type BelowHeader = { titleRowsMax?: number; headerRows?: number; delimiter?: string }

/** Any table as rows of named cells. The first record with the layout's columns is the header. */
export async function* rowsBelowHeader<Name extends string>(
  name: string,
  records: AsyncGenerator<TableRecord, void>,
  layout: Layout<Name>,
  { titleRowsMax = titleRowsMaxDefault, headerRows = 1, delimiter = ' | ' }: BelowHeader = {},
): AsyncGenerator<TableRow<Name>, void> {
  const { header, rest } = await findHeader(name, records, [layout], { titleRowsMax, headerRows })
  const names = Object.keys(layout) as Name[]
  const places = names.map(name => header.findIndex(cell => isNamed(cell, layout[name])))
  for (const [place, cell] of header.entries()) {
    if (!places.includes(place) && cell.trim() !== '') yield { kind: 'unknown_column', name: cell.trim() }
  }
  for await (const { line, cells, links, isTitle } of rest) {
    if (isTitle === true || cells.every(cell => cell.trim() === '') || isRepeated(header, cells)) continue
    const surplus = cells.slice(header.length)
    if (cells.length < header.length || surplus.some(cell => cell.trim() !== '')) {
      yield { kind: 'misshapen', line, published: cells.join(delimiter) }
      continue
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

/** Long tables repeat their header, in print on each page. */
const isRepeated = (header: readonly string[], cells: readonly string[]) =>
  header.length > 1 && header.every((cell, place) => plain(cell) === plain(cells[place] ?? ''))

/** `links`: the addresses of the links in each cell, where the format has links. `isTitle`: one cell spans the row. */
export type TableRecord = { line: number; cells: string[]; links?: string[]; isTitle?: boolean }

export async function* readRecords(file: SourceFile, form: TableForm): AsyncGenerator<TableRecord, void> {
  const parser: Parser = parse({
    delimiter: form.delimiter,
    info: true,
    relax_column_count: true,
    relax_quotes: true,
    skip_empty_lines: true,
    max_record_size: rowCharactersMax,
  })
  // On an error the parser is destroyed with it, and the loop below throws it.
  const flow = pipeline(
    Readable.from(readText(file, { encoding: form.encoding, markup: 'none' })),
    parser,
  ).catch(() => {})
  try {
    for await (const { record, info } of parser)
      yield { line: info.records + info.empty_lines, cells: record }
  } catch (error) {
    if (error instanceof Refusal) throw error
    const isCutOff = error instanceof CsvError && error.code === 'CSV_QUOTE_NOT_CLOSED'
    const problem = isCutOff ? 'it ends inside a quoted cell and may be cut off' : (error as Error).message
    throw new Refusal(`"${file.name}" is not a table: ${problem}`, { cause: error })
  } finally {
    parser.destroy()
    await flow
  }
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
    above.push(next.value.cells)
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

/** The first row with about as many cells as others: probably the changed header, and no title. */
function fullest(rows: readonly string[][]): string[] | undefined {
  const most = Math.max(0, ...rows.map(filled))
  return rows.find(cells => filled(cells) * 2 >= most)
}

const filled = (cells: readonly string[]) => cells.filter(cell => cell.trim() !== '').length

/**
 * `Websites |` above `casino | betting` is `Websites / casino | Websites / betting`: a merged cell of the
 * upper row belongs to the cells below it. A cell that spans both rows is named once.
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

/** Whether each required column occurs once, and each optional one at most once. */
export function hasColumns(header: readonly string[], layout: Layout<string>): boolean {
  return Object.values(layout).every(column => {
    const places = header.filter(cell => isNamed(cell, column))
    return places.length === 1 || (places.length === 0 && column.optional === true)
  })
}

const requiredNames = (layout: Layout<string>) =>
  Object.values(layout).flatMap(column => (column.optional === true ? [] : column.names.slice(0, 1)))

const isNamed = (cell: string, column: Column) => column.names.some(name => plain(name) === plain(cell))

/** Case, white space and typographic variants do not distinguish names. */
export const plain = (name: string) => name.normalize('NFKC').replaceAll(/\s+/g, ' ').trim().toLowerCase()
