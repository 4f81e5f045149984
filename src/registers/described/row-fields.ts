import { normaliseStatus } from '../../core/license-status.ts'
import { storableText } from '../../core/storable-text.ts'
import { plain } from '../source/source-table.ts'
import {
  type Condition,
  type DateField,
  type ListField,
  listings,
  roles,
  statuses,
  type TextField,
  type WordField,
} from './description-schema.ts'
import { readDate, readDay } from './read-date.ts'

export type Cells = Readonly<Record<string, string>>

/** Not ok: the description has no meaning for the published text. */
export type Read<Value> = { ok: true; value: Value | null } | { ok: false; published: string }

/** Makes cells storable in PostgreSQL; marks for an empty cell become ''. */
export function cleanCells(cells: Cells, emptyCells: ReadonlySet<string>): Cells {
  const clean: Record<string, string> = {}
  for (const [name, cell] of Object.entries(cells)) {
    const text = storableText(cell).trim()
    clean[name] = emptyCells.size > 0 && emptyCells.has(plain(text)) ? '' : text
  }
  return clean
}

export const plainWords = (words: readonly string[] | undefined): ReadonlySet<string> =>
  new Set((words ?? []).map(plain))

export function textIn(cells: Cells, field: TextField | undefined): string | null {
  const text = (field?.constant ?? cellIn(cells, field?.column))
    .split(/[\r\n]+/)
    .map(line => line.trim().replaceAll(/\s+/g, ' '))
    .filter(line => line !== '')
    .join(', ')
  return text === '' ? null : text
}

const cellIn = (cells: Cells, column: string | undefined) =>
  column === undefined ? '' : (cells[column] ?? '')

/** Splits a cell into distinct values; a line end always separates. */
export function splitter({ column, split = [] }: ListField): (cells: Cells) => string[] {
  const separators = split.map(separator => separator.replaceAll(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`))
  const between = new RegExp(['[\\r\\n]+', ...separators].join('|'), 'u')
  return cells => {
    const values = cellIn(cells, column).split(between)
    return [...new Set(values.map(value => value.trim()).filter(value => value !== ''))]
  }
}

/** Maps published words to meanings. Without `words`, `spell` reads the cell; null is unknown. */
export function wordReader(
  field: WordField | undefined,
  spell: (published: string) => string | null,
): (cells: Cells) => Read<string> {
  if (field === undefined) return () => ({ ok: true, value: null })
  const { constant, column, words } = field
  if (constant !== undefined) return () => ({ ok: true, value: constant })
  const meanings = new Map(Object.entries(words ?? {}).map(([word, meaning]) => [plain(word), meaning]))
  const meaningOf = (cell: string) =>
    words === undefined ? spell(cell) : (meanings.get(plain(cell)) ?? null)
  return cells => {
    const published = cellIn(cells, column)
    const value = published === '' ? null : meaningOf(published)
    return value === null && published !== '' ? { ok: false, published } : { ok: true, value }
  }
}

const among = (known: readonly string[], word: string | null) =>
  word !== null && known.includes(word) ? word : null

/** Unknown words return null: an unknown status would count as licensed by membership. */
export const asStatus = (published: string) => among(statuses, normaliseStatus(published))
export const asListing = (published: string) => among(listings, plain(published))
export const asRole = (published: string) => among(roles, plain(published))
export const asCountry = (published: string) =>
  /^[A-Za-z]{2}$/.test(published) ? published.toUpperCase() : null

type DateReader = (cells: Cells, field: DateField | undefined) => Read<string>

const datesBy =
  (read: typeof readDate): DateReader =>
  (cells, field) => {
    const published = cellIn(cells, field?.column)
    if (field === undefined || published === '') return { ok: true, value: null }
    const value = read(published, field)
    return value === null ? { ok: false, published } : { ok: true, value }
  }

export const instantIn = datesBy(readDate)
export const dayIn = datesBy(readDay)

export function conditionOf(when: Condition | undefined): (cells: Cells) => boolean {
  if (when === undefined) return () => true
  const words = plainWords(when.words)
  return cells => words.has(plain(cellIn(cells, when.column)))
}

/** Joins the cells of these columns into a key; '' if all are empty. */
export function keyIn(cells: Cells, columns: readonly string[]): string {
  const parts = columns.map(column => (cells[column] ?? '').replaceAll(/\s+/g, ' ').trim())
  if (parts.every(part => part === '')) return ''
  return parts.map(part => part.replaceAll('|', String.raw`\|`)).join('|')
}
