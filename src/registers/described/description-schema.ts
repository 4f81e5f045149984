/**
 * What a description of a register may say: its facts, how its file is read, and what a row of it is. The words in
 * `takes` are shown with an error; docs/describing-a-register.md explains each key, and a test keeps the two alike.
 */
import { type Static, type TProperties, type TSchema, Type } from 'typebox'
import { licenseStatuses } from '../../core/license-status.ts'
import { closed, oneOf } from '../../core/schema.ts'
import { encodings } from '../source/source-text.ts'

export const formats = ['csv', 'tsv', 'xlsx', 'xml', 'json', 'html', 'text'] as const
export type Format = (typeof formats)[number]

export const delimiters = { comma: ',', semicolon: ';', pipe: '|', tab: '\t' } as const

/** What can be said of a license or a domain: a closed list, for a slip of the pen must not license anybody. */
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
/** A cadence is at most a year. */
const hoursMax = 8_784
const rowsMinMax = 10_000_000
const titleRowsMaxMax = 100
const skipLinesMax = 1_000

const text = (takes: string, options: object = {}) =>
  Type.String({ minLength: 1, maxLength: textCharactersMax, pattern: '^\\S(?:[^]*\\S)?$', takes, ...options })
const choice = <const Words extends readonly string[]>(words: Words) =>
  oneOf(words, { takes: `one of ${words.join(', ')}` })
const flag = () => Type.Boolean({ takes: 'true or false' })
const integer = (minimum: number, maximum: number) =>
  Type.Integer({ minimum, maximum, takes: `a whole number from ${minimum} to ${maximum}` })
const object = <const Properties extends TProperties>(properties: Properties, options: object = {}) =>
  Type.Object(properties, { ...closed, takes: `the keys ${Object.keys(properties).join(', ')}`, ...options })
const list = <Item extends TSchema>(item: Item, takes: string) =>
  Type.Array(item, { minItems: 1, maxItems: itemsMax, uniqueItems: true, takes })

/** An object whose keys are the writer's own. */
function named<Value extends TSchema>(
  value: Value,
  propertiesMax: number,
  takes: string,
  options: object = {},
) {
  return Type.Unsafe<Record<string, Static<Value>>>({
    type: 'object',
    additionalProperties: value,
    minProperties: 1,
    maxProperties: propertiesMax,
    takes,
    ...options,
  })
}

const columnName = () => text('the name of a column, as "columns" has it')
const columnNames = () => list(columnName(), 'a list of names of columns, as "columns" has them')

const wordsTo = <Value extends TSchema>(value: Value) =>
  named(value, wordsMax, 'published words, each with what it means')

/** The shapes that several keys share; `shape` is what the documentation calls them. */
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
          Type.String({ minLength: 1, maxLength: 20, takes: 'a separator in quotes' }),
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
      date_forms: list(choice(dateForms), `a list out of ${dateForms.join(', ')}`),
      time_zone: Type.Optional(text('a time zone, as Europe/Warsaw')),
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
        wordField(Type.String({ pattern: '^[A-Z]{2}$', takes: 'an ISO 3166-1 code of two letters, as MT' })),
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
    takes: '<market>.<what> in small letters, as jersey.operators',
  }),
  market: text('the code of a market, as jersey'),
  covers: list(choice(['register', 'blocklist']), 'a list out of register, blocklist'),
  regulator: text('the name of the regulator'),
  regulator_country_code: Type.String({
    pattern: '^[A-Z]{2}$',
    takes: 'an ISO 3166-1 code of two letters, as MT',
  }),
  official_url: text('the address of the register, beginning with https://', { maxLength: urlCharactersMax }),
  cadence: object({ words: text('how often it is published, in words'), hours: integer(1, hoursMax) }),
  publishes: object({ revoked: flag(), dates: flag(), domains: flag(), roles: flag() }),
  identity: text('what makes two rows the same record, in words'),
  rows_min: integer(0, rowsMinMax),
  source_claim: choice(['license', 'authorised_domain', 'blocklist', 'license_and_blocklist']),
  qualification: text('what a listing means and what it does not, in words'),
  source_identity: text('what the source calls itself'),
  absence_removes: flag(),
} as const

const encoding = Type.Optional(choice(encodings))
const titleRows = Type.Optional(integer(0, titleRowsMaxMax))
const path = (takes: string) =>
  Type.String({ maxLength: textCharactersMax, pattern: '^[^/]+(?:/[^/]+)*$', takes })
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
        takes: 'the name of a sheet, or its number counted from 1',
      }),
    ),
    title_rows_max: titleRows,
  }),
  xml: object({
    format: format('xml'),
    encoding,
    rows_at: path('the names of the elements from the root to the one that repeats, as Register/Entry'),
  }),
  json: object({
    format: format('json'),
    rows_at: Type.Optional(path('the names of the members that lead to the array, as data/records')),
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
    comment_prefix: Type.Optional(text('what a line begins with that is no row, in quotes')),
    pattern: Type.Optional(text('a regular expression with named groups, as (?<site>\\S+)')),
  }),
} as const satisfies Record<Format, TSchema>

export type FileForm = Static<(typeof fileSchemas)[Format]>
export type FormOf<Name extends Format> = Static<(typeof fileSchemas)[Name]>

/** How the file is read: any change here makes another version of the reader. */
const reading = {
  columns: named(column, columnsMax, 'a name for each column that is read', {
    propertyNames: { pattern: columnKeyPattern, takes: 'names in small letters, digits and _' },
  }),
  empty_cells: Type.Optional(
    list(text('a mark in quotes, as "-"'), 'a list of the marks that stand for an empty cell'),
  ),
  leave_out: Type.Optional(condition()),
  records,
} as const

/** One schema for each format of a file: which keys `file` takes depends on it. */
export function descriptionSchema(name: Format) {
  return object({ ...facts, file: fileSchemas[name], ...reading })
}

/** Where the format is not known yet, the rest can be looked at all the same. */
export const formlessSchema = object({
  ...facts,
  file: Type.Object({ format: choice(formats) }, { takes: 'the keys format and, depending on it, others' }),
  ...reading,
})

export type Description = Omit<Static<typeof formlessSchema>, 'file'> & { file: FileForm }
export type Columns = Description['columns']
export type Records = Description['records']
