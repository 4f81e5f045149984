/** The keys that define how a file becomes rows of named cells. Error messages show `accepts`. */
import { type Static, Type } from 'typebox'
import { type FileForm, type Format, fileSchemas, formats } from './file-forms.ts'
import { choice, flag, list, named, object, textSchema } from './schema-parts.ts'
import { columnName, columnNames, condition } from './shapes.ts'

const columnsMax = 100

const column = object({
  headers: list(
    textSchema('a header as printed; put a number in quotes'),
    'a list of the spellings of its header',
  ),
  optional: Type.Optional(flag()),
  first: Type.Optional(flag()),
  within: Type.Optional(textSchema('a CSS selector of an element around the row')),
  above: Type.Optional(flag()),
  each: Type.Optional(flag()),
  pattern: Type.Optional(textSchema('a regular expression for a part of the cell')),
  else: Type.Optional(columnName()),
  letters: Type.Optional(choice(['latin'])),
})

const rows = {
  columns: named(column, columnsMax, 'a name for each column to read', {
    propertyNames: {
      pattern: '^[a-z][a-z0-9_]*$',
      accepts: 'names of lower-case letters, digits and _',
    },
  }),
  row_for_each: Type.Optional(
    list(textSchema('a header as printed; put a number in quotes'), 'a list of headers'),
  ),
  empty_cells: Type.Optional(
    list(textSchema('a mark in quotes, such as "-"'), 'a list of marks for an empty cell'),
  ),
  leave_out: Type.Optional(condition()),
  fill_down: Type.Optional(columnNames()),
} as const

/** Returns the keys for one format. A caller may add further keys to its schema. */
export const tableKeys = (format: Format) => ({ file: fileSchemas[format], ...rows })

/** The keys of a description whose format is missing or unknown. */
export const formlessKeys = {
  file: Type.Object({ format: choice(formats) }, { accepts: 'an object with the key format' }),
  ...rows,
}

export const tableSchema = (format: Format | undefined) =>
  object(format === undefined ? formlessKeys : tableKeys(format))

const rowsSchema = object(rows)
export type TableDescription = Static<typeof rowsSchema> & { file: FileForm }
export type Columns = TableDescription['columns']
