/** Reads the regulator's own file by a description of it, and a mirror's by another reader. */
import type { Description } from '../described/description-schema.ts'
import type { Format } from '../described/file-forms.ts'
import { mapRows } from '../described/map-rows.ts'
import { readRows } from '../described/read-rows.ts'
import { openingOf } from '../source/first-character.ts'
import { ofMirror } from '../source/readings.ts'
import type { SourceFile, Stream } from '../stream.ts'

/** The part of a description that says how a file is read. */
export type OfficialForm = Pick<
  Description,
  'file' | 'columns' | 'empty_cells' | 'leave_out' | 'fill_down' | 'records'
>

type Read = (files: readonly SourceFile[]) => ReturnType<Stream['read']>

/** The content decides: only a single file can be a mirror's. `printed`: all headers of the official layout. */
export function officialOrMirror(form: OfficialForm, printed: readonly string[], mirror: Read): Read {
  return async function* (files) {
    const [first] = files
    if (first !== undefined && (files.length > 1 || (await isOfficial(first, form.file.format))))
      yield* mapRows(() => readRows(files, form.file, form.columns, printed), form)
    else yield* ofMirror(first?.name ?? '', mirror(files))
  }
}

/** Enough for the titles above a header. */
const openingCharacters = 2_048

/** Beginnings of the official formats. A list of hosts has none of them. */
const beginnings: Readonly<Record<Format, RegExp>> = {
  pdf: /^%PDF/,
  xlsx: /^PK/,
  html: /^</,
  xml: /^</,
  json: /^[[{]/,
  csv: /[;,\t|]/,
  tsv: /\t/,
  text: /^/,
}

async function isOfficial(file: SourceFile, format: Format): Promise<boolean> {
  return beginnings[format].test(await openingOf(file, openingCharacters))
}
