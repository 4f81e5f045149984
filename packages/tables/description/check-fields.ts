/** Checks that fields name columns, and that their words and dates can be read. */
import { didYouMean, shown } from '@baize/names'
import { plain } from '../source/source-table.ts'
import type { LocatedProblem } from './locate.ts'
import type { DateField, RowCondition, WordField } from './shapes.ts'
import type { Columns, TableDescription } from './table-schema.ts'

type Field = { column?: string; constant?: string }
type Path = readonly string[]

export function* checkRowFields({
  columns,
  leave_out,
  fill_down,
}: TableDescription): Generator<LocatedProblem> {
  const check = fieldChecks(columns)
  yield* check.condition(['leave_out'], leave_out)
  for (const [index, name] of (fill_down ?? []).entries())
    yield* check.column(['fill_down', String(index)], name)
  for (const [name, { else: other }] of Object.entries(columns))
    if (other !== undefined) yield* check.column(['columns', name, 'else'], other)
}

export type FieldChecks = ReturnType<typeof fieldChecks>

/** Returns the checks for the fields of one description. Each check reports problems at its path. */
export function fieldChecks(columns: Columns) {
  const names = Object.keys(columns)
  const column = (path: Path, name: string) => checkColumn(path, name, names)

  function* texts(path: Path, fields: Record<string, Field | undefined>): Generator<LocatedProblem> {
    for (const [name, field] of Object.entries(fields)) {
      if (field === undefined) continue
      yield* checkOneOf([...path, name], field)
      if (field.column !== undefined) yield* column([...path, name, 'column'], field.column)
    }
  }
  function* words(path: Path, fields: Record<string, WordField | undefined>): Generator<LocatedProblem> {
    yield* texts(path, fields)
    for (const [name, field] of Object.entries(fields)) yield* checkWords([...path, name], field)
  }
  function* dates(path: Path, fields: Record<string, DateField | undefined>): Generator<LocatedProblem> {
    for (const [name, field] of Object.entries(fields)) {
      if (field === undefined) continue
      yield* column([...path, name, 'column'], field.column)
      yield* checkDate([...path, name], field)
    }
  }
  function* condition(path: Path, when: RowCondition | undefined): Generator<LocatedProblem> {
    if (when !== undefined) yield* column([...path, 'column'], when.column)
  }
  function* keys(path: Path, key: readonly string[] | undefined): Generator<LocatedProblem> {
    for (const [index, name] of (key ?? []).entries()) {
      const place = [...path, String(index)]
      yield* column(place, name)
      // Without a key column every record would get a new key, and the stored records would be removed.
      if (columns[name]?.optional === true)
        yield {
          path: place,
          at: 'value',
          message: `the column "${name}" is optional; a key column must be in every file`,
        }
    }
  }
  return { column, texts, words, dates, condition, keys }
}
function* checkColumn(path: Path, name: string, names: readonly string[]): Generator<LocatedProblem> {
  if (names.includes(name)) return
  const suggestion = didYouMean(name, names)
  const others = suggestion === '' ? `; it has ${names.slice(0, 20).join(', ')}` : ''
  const message = `"columns" has no column ${shown(name)}${suggestion}${others}`
  yield { path, at: 'value', message }
}

function* checkOneOf(path: Path, { column, constant }: Field): Generator<LocatedProblem> {
  if ((column === undefined) !== (constant === undefined)) return
  const found = column === undefined ? 'neither' : 'both'
  yield { path, at: 'key', message: `${path.join('.')} must have a column or a constant, found ${found}` }
}

function* checkWords(path: Path, field: WordField | undefined): Generator<LocatedProblem> {
  if (field?.words === undefined) return
  if (field.constant !== undefined)
    yield {
      path: [...path, 'words'],
      at: 'key',
      message: `${path.join('.')} is a constant; omit words`,
    }
  const seen = new Map<string, string>()
  for (const word of Object.keys(field.words)) {
    const other = seen.get(plain(word))
    if (other !== undefined) {
      const both = `${shown(word)} and ${shown(other)}`
      const message = `${path.join('.')}.words has ${both}, which are read as the same word`
      yield { path: [...path, 'words', word], at: 'key', message }
    }
    seen.set(plain(word), word)
  }
}

function* checkDate(path: Path, { date_forms, time_zone }: DateField): Generator<LocatedProblem> {
  if (date_forms.includes('d/m/yyyy') && date_forms.includes('m/d/yyyy')) {
    const message = 'd/m/yyyy and m/d/yyyy exclude each other: 03/04/2026 would be ambiguous'
    yield { path: [...path, 'date_forms'], at: 'value', message }
  }
  if (date_forms.includes('local') && time_zone === undefined) {
    yield {
      path,
      at: 'key',
      message: `${path.join('.')} reads local times and needs a time_zone, such as Europe/Warsaw`,
    }
  }
  if (time_zone === undefined) return
  if (!isTimeZone(time_zone)) {
    const message = `time_zone must be a time zone such as Europe/Warsaw, found ${shown(time_zone)}`
    yield { path: [...path, 'time_zone'], at: 'value', message }
  } else if (!date_forms.includes('local')) {
    yield { path: [...path, 'time_zone'], at: 'key', message: 'time_zone is only for the date form local' }
  }
}

function isTimeZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== ''
  } catch {
    return false
  }
}
