/** Schemas of how a file is read, for each format. README.md explains each key. */
import { type Static, type TSchema, Type } from 'typebox'
import { encodings } from '../source/source-text.ts'
import { choice, flag, integerSchema, object, pathSchema, textSchema, wordSchema } from './schema-parts.ts'

export const formats = ['csv', 'tsv', 'xlsx', 'xml', 'json', 'html', 'pdf', 'text', 'hosts'] as const
export type Format = (typeof formats)[number]

export const delimiters = { comma: ',', semicolon: ';', pipe: '|', tab: '\t' } as const

const titleRowsMaxMax = 100
const headerRowsMax = 3
const skipLinesMax = 1_000
const pagesMaxMax = 1_000

const encoding = Type.Optional(choice(encodings))
const titleRows = Type.Optional(integerSchema(0, titleRowsMaxMax))
const headerRows = Type.Optional(integerSchema(1, headerRowsMax))
const expression = (accepts: string) => Type.Optional(textSchema(accepts))
/** The keys of every format. */
const ofFiles = {
  pages_max: Type.Optional(integerSchema(1, pagesMaxMax)),
  zip: expression('a regular expression for a file in an archive, such as \\.csv$'),
}
const format = <Name extends Format>(name: Name) => wordSchema([name])
const numberOr = (minLength: number, accepts: string, options: object = {}) =>
  Type.Unsafe<number | string>({
    type: ['integer', 'string'],
    minimum: 1,
    minLength,
    maxLength: 100,
    accepts,
    ...options,
  })
const linePattern = expression('a regular expression with named groups, such as (?<site>\\S+)')
const ignoredLines = expression('a regular expression for whole lines that are not rows')

export const fileSchemas = {
  csv: object({
    format: format('csv'),
    encoding,
    delimiter: Type.Optional(choice(['comma', 'semicolon', 'pipe', 'tab'])),
    title_rows_max: titleRows,
    header_rows: headerRows,
    ...ofFiles,
  }),
  tsv: object({
    format: format('tsv'),
    encoding,
    title_rows_max: titleRows,
    header_rows: headerRows,
    ...ofFiles,
  }),
  xlsx: object({
    format: format('xlsx'),
    sheet: Type.Optional(numberOr(1, 'the name of a sheet, or its number counted from 1')),
    title_rows_max: titleRows,
    header_rows: headerRows,
    ...ofFiles,
  }),
  xml: object({
    format: format('xml'),
    encoding,
    rows_at: pathSchema(
      'the names of the elements from the root to the repeated one, such as Register/Entry',
    ),
    ...ofFiles,
  }),
  json: object({
    format: format('json'),
    rows_at: Type.Optional(pathSchema('the names of the members down to the array, such as data/records')),
    script: Type.Optional(textSchema('the id of a script element of a page')),
    references: Type.Optional(flag()),
    ...ofFiles,
  }),
  html: object({
    format: format('html'),
    encoding,
    table: Type.Optional(numberOr(1, 'the number of a table counted from 1, or all', { pattern: '^all$' })),
    title_rows_max: titleRows,
    header_rows: headerRows,
    rows_at: expression('a CSS selector of the repeated element, such as li.operator'),
    rows_with: Type.Optional(textSchema('the name of a column in "columns"')),
    ignore: expression('a CSS selector of elements that are not rows, such as li.title'),
    count: expression('a regular expression for the printed number of rows, such as of (?<value>\\d+)'),
    ...ofFiles,
  }),
  pdf: object({
    format: format('pdf'),
    pattern: linePattern,
    ignore: ignoredLines,
    title_rows_max: titleRows,
    row_begins_with: Type.Optional(textSchema('the name of a column in "columns"')),
    ...ofFiles,
  }),
  text: object({
    format: format('text'),
    encoding,
    skip_lines: Type.Optional(integerSchema(0, skipLinesMax)),
    comment_prefix: Type.Optional(textSchema('the prefix of lines to skip, in quotes')),
    pattern: linePattern,
    ignore: ignoredLines,
    ...ofFiles,
  }),
  hosts: object({ format: format('hosts'), encoding, ...ofFiles }),
} as const satisfies Record<Format, TSchema>

export type FileForm = Static<(typeof fileSchemas)[Format]>
export type FormOf<Name extends Format> = Static<(typeof fileSchemas)[Name]>
