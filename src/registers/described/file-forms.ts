/** How the file of a register is read, per format. docs/describing-a-register.md explains each key. */
import { type Static, type TSchema, Type } from 'typebox'
import { oneOf } from '../../core/schema.ts'
import { encodings } from '../source/source-text.ts'
import { choice, integer, object, path, text } from './schema-parts.ts'

export const formats = ['csv', 'tsv', 'xlsx', 'xml', 'json', 'html', 'pdf', 'text'] as const
export type Format = (typeof formats)[number]

export const delimiters = { comma: ',', semicolon: ';', pipe: '|', tab: '\t' } as const

const titleRowsMaxMax = 100
const headerRowsMax = 3
const skipLinesMax = 1_000
const pagesMaxMax = 1_000

const encoding = Type.Optional(choice(encodings))
const titleRows = Type.Optional(integer(0, titleRowsMaxMax))
const headerRows = Type.Optional(integer(1, headerRowsMax))
const pagesMax = Type.Optional(integer(1, pagesMaxMax))
const expression = (accepts: string) => Type.Optional(text(accepts))
const format = <Name extends Format>(name: Name) => oneOf([name])
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
    pages_max: pagesMax,
  }),
  tsv: object({
    format: format('tsv'),
    encoding,
    title_rows_max: titleRows,
    header_rows: headerRows,
    pages_max: pagesMax,
  }),
  xlsx: object({
    format: format('xlsx'),
    sheet: Type.Optional(numberOr(1, 'the name of a sheet, or its number counted from 1')),
    title_rows_max: titleRows,
    header_rows: headerRows,
    pages_max: pagesMax,
  }),
  xml: object({
    format: format('xml'),
    encoding,
    rows_at: path('the names of the elements from the root to the repeated one, such as Register/Entry'),
    pages_max: pagesMax,
  }),
  json: object({
    format: format('json'),
    rows_at: Type.Optional(path('the names of the members down to the array, such as data/records')),
    script: Type.Optional(text('the id of a script element of a page')),
    pages_max: pagesMax,
  }),
  html: object({
    format: format('html'),
    encoding,
    table: Type.Optional(numberOr(1, 'the number of a table counted from 1, or all', { pattern: '^all$' })),
    title_rows_max: titleRows,
    header_rows: headerRows,
    rows_at: expression('a CSS selector of the repeated element, such as li.operator'),
    pages_max: pagesMax,
  }),
  pdf: object({
    format: format('pdf'),
    pattern: linePattern,
    ignore: ignoredLines,
    title_rows_max: titleRows,
    row_begins_with: Type.Optional(text('the name of a column in "columns"')),
    pages_max: pagesMax,
  }),
  text: object({
    format: format('text'),
    encoding,
    skip_lines: Type.Optional(integer(0, skipLinesMax)),
    comment_prefix: Type.Optional(text('the prefix of lines to skip, in quotes')),
    pattern: linePattern,
    ignore: ignoredLines,
    pages_max: pagesMax,
  }),
} as const satisfies Record<Format, TSchema>

export type FileForm = Static<(typeof fileSchemas)[Format]>
export type FormOf<Name extends Format> = Static<(typeof fileSchemas)[Name]>
