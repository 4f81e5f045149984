import { didYouMean } from '../../core/near-word.ts'
import { shown } from '../../core/shown-value.ts'
import { plain } from '../source/source-table.ts'
import type { Condition, DateField, Description, WordField } from './description-schema.ts'
import type { Finding } from './problems.ts'

type Field = { column?: string; constant?: string }

export function* checkFields({ columns, leave_out, fill_down, records }: Description): Generator<Finding> {
  const names = Object.keys(columns)
  const { licensee, license, authorised_domains, blocklist_entries } = records
  const column = (path: string[], name: string) => checkColumn(path, name, names)

  function* texts(path: string[], fields: Record<string, Field | undefined>): Generator<Finding> {
    for (const [name, field] of Object.entries(fields)) {
      if (field === undefined) continue
      yield* checkOneOf([...path, name], field)
      if (field.column !== undefined) yield* column([...path, name, 'column'], field.column)
    }
  }
  function* words(path: string[], fields: Record<string, WordField | undefined>): Generator<Finding> {
    yield* texts(path, fields)
    for (const [name, field] of Object.entries(fields)) yield* checkWords([...path, name], field)
  }
  function* dates(path: string[], fields: Record<string, DateField | undefined>): Generator<Finding> {
    for (const [name, field] of Object.entries(fields)) {
      if (field === undefined) continue
      yield* column([...path, name, 'column'], field.column)
      yield* checkDate([...path, name], field)
    }
  }
  function* condition(path: string[], when: Condition | undefined): Generator<Finding> {
    if (when !== undefined) yield* column([...path, 'column'], when.column)
  }
  function* keys(path: string[], key: readonly string[] | undefined): Generator<Finding> {
    for (const [index, name] of (key ?? []).entries()) {
      const place = [...path, String(index)]
      yield* column(place, name)
      // Without its column every record would get a new key, and the stored ones would be removed.
      if (columns[name]?.optional === true)
        yield {
          path: place,
          at: 'value',
          message: `the column "${name}" is optional; a key column must be in every file`,
        }
    }
  }

  yield* condition(['leave_out'], leave_out)
  for (const [index, name] of (fill_down ?? []).entries()) yield* column(['fill_down', String(index)], name)
  if (licensee !== undefined) {
    const path = ['records', 'licensee']
    const { legal_name, registration_number, trading_names, country } = licensee
    yield* keys([...path, 'key'], licensee.key)
    yield* texts(path, { legal_name, registration_number })
    yield* words(path, { country })
    if (trading_names !== undefined) yield* column([...path, 'trading_names', 'column'], trading_names.column)
  }
  if (license !== undefined) {
    const path = ['records', 'license']
    const { license_number, license_type, source_url, status, role, issued_at, expires_at } = license
    yield* keys([...path, 'key'], license.key)
    yield* texts(path, { license_number, license_type, source_url })
    yield* words(path, { status, role })
    yield* dates(path, { issued_at, expires_at })
  }
  if (authorised_domains !== undefined) {
    const path = ['records', 'authorised_domains']
    const { domain, status, when, key_also } = authorised_domains
    yield* column([...path, 'domain', 'column'], domain.column)
    yield* words(path, { status })
    yield* condition([...path, 'when'], when)
    yield* keys([...path, 'key_also'], key_also)
  }
  if (blocklist_entries !== undefined) {
    const path = ['records', 'blocklist_entries']
    const { domain, status, listed_at, delisted_at, when, key_also } = blocklist_entries
    yield* column([...path, 'domain', 'column'], domain.column)
    yield* words(path, { status })
    yield* dates(path, { listed_at, delisted_at })
    yield* condition([...path, 'when'], when)
    yield* keys([...path, 'key_also'], key_also)
  }
}

function* checkColumn(path: string[], name: string, names: readonly string[]): Generator<Finding> {
  if (names.includes(name)) return
  const suggestion = didYouMean(name, names)
  const others = suggestion === '' ? `; it has ${names.slice(0, 20).join(', ')}` : ''
  const message = `"columns" has no column ${shown(name)}${suggestion}${others}`
  yield { path, at: 'value', message }
}

function* checkOneOf(path: string[], { column, constant }: Field): Generator<Finding> {
  if ((column === undefined) !== (constant === undefined)) return
  const found = column === undefined ? 'neither' : 'both'
  yield { path, at: 'key', message: `${path.join('.')} must have a column or a constant, found ${found}` }
}

function* checkWords(path: string[], field: WordField | undefined): Generator<Finding> {
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

function* checkDate(path: string[], { date_forms, time_zone }: DateField): Generator<Finding> {
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
