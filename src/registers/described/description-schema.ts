/**
 * The schema of a register description: facts, how the file is read, and the records of a row. `accepts` is
 * shown in errors. docs/describing-a-register.md explains each key; a test compares the two.
 */
import { type Static, type TSchema, Type } from 'typebox'
import { licenseStatuses } from '../../core/license-status.ts'
import { type FileForm, type Format, fileSchemas, formats } from './file-forms.ts'
import { choice, flag, integer, list, named, object, path, text } from './schema-parts.ts'

/** A closed list, so that a typing error cannot license a domain. */
export const statuses = licenseStatuses
export const listings = ['listed', 'delisted'] as const
export const roles = ['operator', 'supplier'] as const
export const dateForms = [
  'd.m.yyyy',
  'd/m/yyyy',
  'm/d/yyyy',
  'd-m-yyyy',
  'yyyy.m.d',
  'd month yyyy',
  'iso',
  'prose',
  'local',
] as const
export type DateForm = (typeof dateForms)[number]

const urlCharactersMax = 2_048
const columnsMax = 100
const wordsMax = 500
/** A year. */
const hoursMax = 8_784
const rowsBoundMax = 10_000_000

const columnName = () => text('the name of a column in "columns"')
const columnNames = () => list(columnName(), 'a list of names of columns in "columns"')

const wordsTo = <Value extends TSchema>(value: Value) =>
  named(value, wordsMax, 'published words, each with its meaning')

/** Shapes shared by several keys; `shape` is their name in the documentation. */
const textField = () =>
  object(
    { column: Type.Optional(columnName()), constant: Type.Optional(text('text; put a number in quotes')) },
    { shape: 'text field' },
  )
const wordField = <Value extends TSchema>(value: Value) =>
  object(
    {
      column: Type.Optional(columnName()),
      words: Type.Optional(wordsTo(value)),
      constant: Type.Optional(value),
    },
    { shape: 'word field' },
  )
const listField = () =>
  object(
    {
      column: columnName(),
      split: Type.Optional(
        list(
          Type.String({ minLength: 1, maxLength: 20, accepts: 'a separator in quotes' }),
          'a list of separators in quotes',
        ),
      ),
    },
    { shape: 'list field' },
  )
const dateField = () =>
  object(
    {
      column: columnName(),
      date_forms: list(choice(dateForms), `a list of ${dateForms.join(', ')}`),
      time_zone: Type.Optional(text('a time zone such as Europe/Warsaw')),
    },
    { shape: 'date field' },
  )
const condition = () =>
  object(
    {
      column: columnName(),
      words: list(text('a published word; put a number in quotes'), 'a list of published words'),
    },
    { shape: 'condition' },
  )

export type TextField = Static<ReturnType<typeof textField>>
export type WordField = { column?: string; words?: Record<string, string>; constant?: string }
export type ListField = Static<ReturnType<typeof listField>>
export type DateField = Static<ReturnType<typeof dateField>>
export type Condition = Static<ReturnType<typeof condition>>

const records = object({
  licensee: Type.Optional(
    object({
      key: columnNames(),
      legal_name: textField(),
      trading_names: Type.Optional(listField()),
      country: Type.Optional(
        wordField(
          Type.String({ pattern: '^[A-Z]{2}$', accepts: 'an ISO 3166-1 code of two letters, such as MT' }),
        ),
      ),
      registration_number: Type.Optional(textField()),
    }),
  ),
  license: Type.Optional(
    object({
      key: columnNames(),
      license_number: textField(),
      license_type: Type.Optional(textField()),
      status: Type.Optional(wordField(choice(statuses))),
      issued_at: Type.Optional(dateField()),
      expires_at: Type.Optional(dateField()),
      source_url: Type.Optional(textField()),
      role: Type.Optional(wordField(choice(roles))),
    }),
  ),
  authorised_domains: Type.Optional(
    object({
      domain: listField(),
      status: Type.Optional(wordField(choice(statuses))),
      when: Type.Optional(condition()),
      key_also: Type.Optional(columnNames()),
      key_without_holder: Type.Optional(flag()),
    }),
  ),
  blocklist_entries: Type.Optional(
    object({
      domain: listField(),
      status: Type.Optional(wordField(choice(listings))),
      listed_at: Type.Optional(dateField()),
      delisted_at: Type.Optional(dateField()),
      when: Type.Optional(condition()),
      key_also: Type.Optional(columnNames()),
    }),
  ),
})

const column = object({
  headers: list(text('a header as printed; put a number in quotes'), 'a list of the spellings of its header'),
  optional: Type.Optional(flag()),
  within: Type.Optional(text('a CSS selector of an element around the row')),
  above: Type.Optional(flag()),
  pattern: Type.Optional(text('a regular expression for a part of the cell')),
})
const columnKeyPattern = '^[a-z][a-z0-9_]*$'

const pattern = () => text('a regular expression, such as operators.*\\.csv')
export const resolveKeys = {
  none: [],
  direct: [],
  newest_link: ['within', 'text', 'href', 'newest', 'next'],
  json_field: ['path', 'href', 'newest'],
  sheet: ['gid'],
  pages: ['parameter'],
} as const
const linkChoice = {
  within: Type.Optional(
    Type.String({
      pattern: '^[#.]?[A-Za-z][\\w-]*$',
      maxLength: 100,
      accepts: '#id, .class or the name of an element',
    }),
  ),
  text: Type.Optional(pattern()),
  href: Type.Optional(pattern()),
  newest: Type.Optional(choice(['first', 'last', 'latest_date'])),
}
const resolve = object({
  by: choice(['direct', 'newest_link', 'json_field', 'pages', 'sheet', 'none']),
  ...linkChoice,
  next: Type.Optional(object(linkChoice)),
  path: Type.Optional(path('names of members separated by /, such as result/resources/*/url')),
  gid: Type.Optional(integer(0, 2_147_483_647)),
  parameter: Type.Optional(text('the parameter of an address that numbers its pages, such as page')),
})
const sourceOf = (fact: string) => Type.Optional(text(`where ${fact} comes from, in words`))

const facts = {
  key: Type.String({
    pattern: '^[a-z][a-z_]*\\.[a-z]+$',
    maxLength: 100,
    accepts: '<market>.<what> in lower case, such as jersey.operators',
  }),
  market: text('the code of a market, such as jersey'),
  covers: list(choice(['register', 'blocklist']), 'a list of register, blocklist'),
  regulator: text('the name of the regulator'),
  regulator_country_code: Type.String({
    pattern: '^[A-Z]{2}$',
    accepts: 'an ISO 3166-1 code of two letters, such as MT',
  }),
  official_url: text('the address of the register, beginning with https://', { maxLength: urlCharactersMax }),
  resolve: Type.Optional(resolve),
  language: Type.Optional(
    Type.String({
      pattern: '^[a-z]{2,3}(?:-[A-Z][A-Za-z]+)?$',
      accepts: 'a language tag, such as sv or pt-BR',
    }),
  ),
  layout: Type.Optional(
    object({
      recorded_at: Type.Optional(
        Type.String({
          pattern: '^\\d{4}-\\d{2}-\\d{2}$',
          accepts: 'the day of a file of the regulator, such as 2026-10-01',
        }),
      ),
      columns: Type.Optional(
        list(text('a header as printed; put a number in quotes'), 'a list of all headers'),
      ),
    }),
  ),
  terms: Type.Optional(text('the license of the data as the regulator states it')),
  sources: Type.Optional(
    object({
      address: sourceOf('the address'),
      layout: sourceOf('the layout'),
      cadence: sourceOf('the cadence'),
      rows: sourceOf('the number of rows'),
      terms: sourceOf('the license of the data'),
    }),
  ),
  cadence: object({ words: text('how often it is published, in words'), hours: integer(1, hoursMax) }),
  publishes: object({ revoked: flag(), dates: flag(), domains: flag(), roles: flag() }),
  identity: text('what makes two rows the same record, in words'),
  rows_min: integer(0, rowsBoundMax),
  rows_max: Type.Optional(integer(1, rowsBoundMax)),
  removed_share_max: Type.Optional(
    Type.Number({ minimum: 0, maximum: 1, accepts: 'a share from 0 to 1, such as 0.05' }),
  ),
  ends_with_line_break: Type.Optional(flag()),
  source_claim: choice(['license', 'authorised_domain', 'blocklist', 'license_and_blocklist']),
  qualification: text('what a listing means and does not mean, in words'),
  source_identity: text('the name of the source'),
  /** Of earlier descriptions; without effect. */
  absence_removes: Type.Optional(flag()),
} as const

/** How the file is read. A change here changes the parser version. */
const reading = {
  columns: named(column, columnsMax, 'a name for each column to read', {
    propertyNames: { pattern: columnKeyPattern, accepts: 'names of lower-case letters, digits and _' },
  }),
  empty_cells: Type.Optional(
    list(text('a mark in quotes, such as "-"'), 'a list of marks for an empty cell'),
  ),
  leave_out: Type.Optional(condition()),
  fill_down: Type.Optional(columnNames()),
  records,
} as const

export function descriptionSchema(name: Format) {
  return object({ ...facts, file: fileSchemas[name], ...reading })
}

export const formlessSchema = object({
  ...facts,
  file: Type.Object({ format: choice(formats) }, { accepts: 'an object with the key format' }),
  ...reading,
})

export type Description = Omit<Static<typeof formlessSchema>, 'file'> & { file: FileForm }
export type Columns = Description['columns']
export type Records = Description['records']
