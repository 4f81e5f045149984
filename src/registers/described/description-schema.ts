/**
 * The schema of a register description: facts, how the file is read, and the records of a row. `accepts` is
 * shown in errors. docs/describing-a-register.md explains each key; a test compares the two.
 */
import { type Static, type TProperties, type TSchema, Type } from 'typebox'
import { licenseStatuses } from '../../core/license-status.ts'
import { closed, oneOf } from '../../core/schema.ts'
import { encodings } from '../source/source-text.ts'

export const formats = ['csv', 'tsv', 'xlsx', 'xml', 'json', 'html', 'text'] as const
export type Format = (typeof formats)[number]

export const delimiters = { comma: ',', semicolon: ';', pipe: '|', tab: '\t' } as const

/** A closed list, so that a typing error cannot license a domain. */
export const statuses = licenseStatuses
export const listings = ['listed', 'delisted'] as const
export const roles = ['operator', 'supplier'] as const
export const dateForms = ['d.m.yyyy', 'd/m/yyyy', 'm/d/yyyy', 'iso', 'prose', 'local'] as const
export type DateForm = (typeof dateForms)[number]

const textCharactersMax = 1_000
const urlCharactersMax = 2_048
const itemsMax = 100
const columnsMax = 100
const wordsMax = 500
/** A year. */
const hoursMax = 8_784
const rowsBoundMax = 10_000_000
const titleRowsMaxMax = 100
const skipLinesMax = 1_000

const text = (accepts: string, options: object = {}) =>
  Type.String({
    minLength: 1,
    maxLength: textCharactersMax,
    pattern: '^\\S(?:[^]*\\S)?$',
    accepts,
    ...options,
  })
const choice = <const Words extends readonly string[]>(words: Words) =>
  oneOf(words, { accepts: `one of ${words.join(', ')}` })
const flag = () => Type.Boolean({ accepts: 'true or false' })
const integer = (minimum: number, maximum: number) =>
  Type.Integer({ minimum, maximum, accepts: `a whole number from ${minimum} to ${maximum}` })
const object = <const Properties extends TProperties>(properties: Properties, options: object = {}) =>
  Type.Object(properties, {
    ...closed,
    accepts: `an object with the keys ${Object.keys(properties).join(', ')}`,
    ...options,
  })
const list = <Item extends TSchema>(item: Item, accepts: string) =>
  Type.Array(item, { minItems: 1, maxItems: itemsMax, uniqueItems: true, accepts })

function named<Value extends TSchema>(
  value: Value,
  propertiesMax: number,
  accepts: string,
  options: object = {},
) {
  return Type.Unsafe<Record<string, Static<Value>>>({
    type: 'object',
    additionalProperties: value,
    minProperties: 1,
    maxProperties: propertiesMax,
    accepts,
    ...options,
  })
}

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
})
const columnKeyPattern = '^[a-z][a-z0-9_]*$'

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

const encoding = Type.Optional(choice(encodings))
const titleRows = Type.Optional(integer(0, titleRowsMaxMax))
const path = (accepts: string) =>
  Type.String({ maxLength: textCharactersMax, pattern: '^[^/]+(?:/[^/]+)*$', accepts })
const format = <Name extends Format>(name: Name) => oneOf([name])

const fileSchemas = {
  csv: object({
    format: format('csv'),
    encoding,
    delimiter: Type.Optional(choice(['comma', 'semicolon', 'pipe', 'tab'])),
    title_rows_max: titleRows,
  }),
  tsv: object({ format: format('tsv'), encoding, title_rows_max: titleRows }),
  xlsx: object({
    format: format('xlsx'),
    sheet: Type.Optional(
      Type.Unsafe<number | string>({
        type: ['integer', 'string'],
        minimum: 1,
        minLength: 1,
        maxLength: 100,
        accepts: 'the name of a sheet, or its number counted from 1',
      }),
    ),
    title_rows_max: titleRows,
  }),
  xml: object({
    format: format('xml'),
    encoding,
    rows_at: path('the names of the elements from the root to the repeated one, such as Register/Entry'),
  }),
  json: object({
    format: format('json'),
    rows_at: Type.Optional(path('the names of the members down to the array, such as data/records')),
  }),
  html: object({
    format: format('html'),
    encoding,
    table: Type.Optional(integer(1, 10_000)),
    title_rows_max: titleRows,
  }),
  text: object({
    format: format('text'),
    encoding,
    skip_lines: Type.Optional(integer(0, skipLinesMax)),
    comment_prefix: Type.Optional(text('the prefix of lines to skip, in quotes')),
    pattern: Type.Optional(text('a regular expression with named groups, such as (?<site>\\S+)')),
  }),
} as const satisfies Record<Format, TSchema>

export type FileForm = Static<(typeof fileSchemas)[Format]>
export type FormOf<Name extends Format> = Static<(typeof fileSchemas)[Name]>

/** How the file is read. A change here changes the parser version. */
const reading = {
  columns: named(column, columnsMax, 'a name for each column to read', {
    propertyNames: { pattern: columnKeyPattern, accepts: 'names of lower-case letters, digits and _' },
  }),
  empty_cells: Type.Optional(
    list(text('a mark in quotes, such as "-"'), 'a list of marks for an empty cell'),
  ),
  leave_out: Type.Optional(condition()),
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
