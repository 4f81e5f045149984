/** Reads the fields of a description from the cells of a row. */

import type { DateField, ListField, RowCondition, TextField, WordField } from '../description/shapes.ts'
import { plain } from '../source/source-table.ts'
import { readDate, readDay } from './read-date.ts'

export type Cells = Readonly<Record<string, string>>

/** Is not ok when the description has no meaning for the published text. */
export type ReadField<Value> = { ok: true; value: Value | null } | { ok: false; published: string }

export const plainWordSet = (words: readonly string[] | undefined): ReadonlySet<string> =>
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

/** Splits a cell into distinct values at the separators and at line ends. */
export function splitter({ column, split = [] }: ListField): (cells: Cells) => string[] {
  const separators = split.map(separator => separator.replaceAll(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`))
  const between = new RegExp(['[\\r\\n]+', ...separators].join('|'), 'u')
  return cells => {
    const values = cellIn(cells, column).split(between)
    return [...new Set(values.map(value => value.trim()).filter(value => value !== ''))]
  }
}

/**
 * Maps published words to meanings. Without `words`, `spell` reads the cell and returns null for an unknown
 * word.
 */
export function wordReader(
  field: WordField | undefined,
  spell: (published: string) => string | null,
): (cells: Cells) => ReadField<string> {
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

type DateReader = (cells: Cells, field: DateField | undefined) => ReadField<string>

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

export function conditionOf(when: RowCondition | undefined): (cells: Cells) => boolean {
  if (when === undefined) return () => true
  const words = plainWordSet(when.words)
  return cells => words.has(plain(cellIn(cells, when.column)))
}

/** Joins the cells of these columns into a key. The key is empty if all cells are. */
export function keyIn(cells: Cells, columns: readonly string[]): string {
  const parts = columns.map(column => (cells[column] ?? '').replaceAll(/\s+/g, ' ').trim())
  if (parts.every(part => part === '')) return ''
  return parts.map(part => part.replaceAll('|', String.raw`\|`)).join('|')
}
