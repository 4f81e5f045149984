/** A second file, which adds domains to the licensees of the first. */
import { legalNameKey } from '@baize/names'
import {
  type Cells,
  columnName,
  type FileForm,
  type Format,
  filledCells,
  formlessKeys,
  listField,
  object,
  readTable,
  type SourceFile,
  type TableDescription,
  tableKeys,
  textSchema,
} from '@baize/tables'
import { type Static, Type } from 'typebox'
import { reject, unusable } from '../entries/readings.ts'
import type { Reading } from '../stream.ts'
import { authorisationReader } from './domain-records.ts'
import { resolveSchema, urlCharactersMax } from './resolve-schema.ts'

const ownKeys = {
  official_url: textSchema('the address of the file, or of the page that links to it', {
    maxLength: urlCharactersMax,
  }),
  resolve: Type.Optional(resolveSchema),
  /** The licensee of a row has this name in the column `as` of the first file. */
  licensee: object({ column: columnName(), as: columnName() }),
  domain: listField(),
} as const
const ownSchema = object(ownKeys)

export const secondFileSchema = (format: Format | undefined) =>
  object({ ...ownKeys, ...(format === undefined ? formlessKeys : tableKeys(format)) })

export type SecondFile = Static<typeof ownSchema> & TableDescription & { file: FileForm }

/** Finds licensees by name, in any spelling of one name and legal form. */
export class LicenseesByName {
  readonly #keys = new Map<string, string | null>()
  readonly #second: SecondFile

  constructor(second: SecondFile) {
    this.#second = second
  }

  add(cells: Cells, licenseeKey: string | null): void {
    const name = legalNameKey(cells[this.#second.licensee.as] ?? '')
    const isShared = this.#keys.has(name) && this.#keys.get(name) !== licenseeKey
    this.#keys.set(name, isShared ? null : licenseeKey)
  }

  /** Reads the sites. One of an unknown name, or of a name that several licensees have, is rejected. */
  async *read(file: SourceFile): AsyncGenerator<Reading, void> {
    const { licensee, domain } = this.#second
    const reader = authorisationReader({ domain }, false)
    for await (const row of readTable([file], this.#second)) {
      if (row.kind !== 'row') {
        yield unusable(row)
        continue
      }
      const { line, cells } = row
      const licenseeKey = this.#keys.get(legalNameKey(cells[licensee.column] ?? ''))
      if (licenseeKey == null) yield reject('unknown_account', line, filledCells(cells))
      else yield* reader.read(line, cells, [{ licenseeKey, licenseKey: null }], false)
    }
    yield* reader.end()
  }
}
