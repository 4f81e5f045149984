/**
 * Refuses truncated files, and files with a document type, whose entities can expand a small file without
 * limit.
 */
import { SaxesParser } from 'saxes'
import type { FormOf } from '../description/file-forms.ts'
import { Refusal, type SourceFile } from '../source/source-file.ts'
import { type Layout, rowCharactersMax, type TableRow } from '../source/source-table.ts'
import { readText } from '../source/source-text.ts'
import { besideRowsNotice } from './beside-rows.ts'
import { addValue, MemberColumns, type MemberValues } from './member-columns.ts'

const depthMax = 64
const besideMax = 10_000
const silentCharactersMax = 1_048_576

/** A row that is being read. `elements` has the open elements: the row and its open descendants. */
type Row = {
  line: number
  values: MemberValues
  elements: { text: string; hasChildren: boolean }[]
  characters: number
}

export async function* readXmlRows(
  file: SourceFile,
  form: FormOf<'xml'>,
  layout: Layout<string>,
): AsyncGenerator<TableRow<string>, void> {
  const columns = new MemberColumns(file.name, layout, 'elements')
  const reader = new RowElements(file.name, form.rows_at.split('/'), form.encoding ?? 'utf-8')
  for await (const piece of readText(file, { encoding: form.encoding ?? 'utf-8', markup: 'xml' })) {
    for (const { line, values } of reader.write(piece)) yield* columns.row(line, values)
  }
  for (const { line, values } of reader.end()) yield* columns.row(line, values)
  columns.refuseMissing()
  for (const name of reader.beside) yield { kind: 'notice', notice: besideRowsNotice, published: name }
}

class RowElements {
  readonly #name: string
  readonly #rowsAt: readonly string[]
  readonly #parser = new SaxesParser({ xmlns: true, position: true })
  readonly #path: string[] = []
  #row: Row | null = null
  #ready: Row[] = []
  #rows = 0
  /** The names of elements beside rows, which may be rows under another name. */
  readonly beside: string[] = []
  #silentCharacters = 0

  constructor(name: string, rowsAt: readonly string[], encoding: string) {
    this.#name = name
    this.#rowsAt = rowsAt
    const parser = this.#parser
    parser.on('error', () =>
      this.#refuse(
        `is not complete XML: it cannot be read on from line ${parser.line}, column ${parser.column}`,
      ),
    )
    parser.on('doctype', () => this.#refuse('has a document type, which is not accepted'))
    parser.on('xmldecl', ({ encoding: declared }) => {
      if (declared !== undefined && canonical(declared) !== encoding)
        this.#refuse(`declares the encoding ${declared}; expected ${encoding}`)
    })
    parser.on('opentag', ({ local, attributes }) => this.#open(local, attributes))
    parser.on('text', text => this.#text(text))
    parser.on('cdata', text => this.#text(text))
    parser.on('closetag', () => this.#close())
  }

  write(piece: string): Row[] {
    this.#silentCharacters += piece.length
    this.#parser.write(piece)
    if (this.#silentCharacters > silentCharactersMax)
      this.#refuse(
        `has more than ${silentCharactersMax} characters without a tag, at line ${this.#parser.line}`,
      )
    return this.#take()
  }

  end(): Row[] {
    this.#parser.close()
    if (this.#rows === 0) this.#refuse(`has no element ${this.#rowsAt.join('/')}, so it has no rows`)
    return this.#take()
  }

  #take(): Row[] {
    const ready = this.#ready
    this.#ready = []
    return ready
  }

  #open(local: string, attributes: Record<string, { local: string; prefix: string; value: string }>): void {
    this.#silentCharacters = 0
    this.#path.push(local)
    const depth = this.#path.length
    if (depth > depthMax) this.#refuse(`nests its elements deeper than ${depthMax}`)
    if (depth === 1 && local !== this.#rowsAt[0])
      this.#refuse(`: expected the root element "${this.#rowsAt[0]}", found "${local}"`)
    if (this.#row === null) {
      const isAt = this.#rowsAt.slice(0, depth - 1).every((each, index) => each === this.#path[index])
      if (depth !== this.#rowsAt.length || !isAt) return
      if (local !== this.#rowsAt[depth - 1]) {
        if (this.beside.length < besideMax) this.beside.push(local)
        return
      }
      this.#row = { line: this.#parser.line, values: new Map(), elements: [], characters: 0 }
      this.#rows += 1
    }
    const around = this.#row.elements.at(-1)
    if (around !== undefined) around.hasChildren = true
    this.#row.elements.push({ text: '', hasChildren: false })
    this.#count(local.length)
    for (const { local: name, prefix, value } of Object.values(attributes)) {
      if (prefix !== 'xmlns' && name !== 'xmlns' && prefix !== 'xsi') this.#add(`@${name}`, value)
    }
  }

  #text(text: string): void {
    const element = this.#row?.elements.at(-1)
    if (element === undefined) return
    element.text += text
    this.#count(text.length)
  }

  #close(): void {
    this.#silentCharacters = 0
    const row = this.#row
    const element = row?.elements.pop()
    if (row !== null && element !== undefined) {
      const isRow = row.elements.length === 0
      // An element with children has no text of its own. An element without any is an empty cell.
      const isEmptyCell = !isRow && !element.hasChildren
      if (element.text.trim() !== '' || isEmptyCell) this.#add('', element.text)
      if (isRow) {
        this.#ready.push(row)
        this.#row = null
      }
    }
    this.#path.pop()
  }

  /** Returns the path of a cell: `Address/@kind`, `Address/Domain`, or `.` for the row itself. */
  #nameBelowRow(attribute: string): string {
    const parts = this.#path.slice(this.#rowsAt.length)
    if (attribute !== '') parts.push(attribute)
    return parts.length === 0 ? '.' : parts.join('/')
  }

  #add(attribute: string, value: string): void {
    const row = this.#row
    if (row === null) return
    if (attribute !== '') this.#count(value.length)
    addValue(row.values, this.#nameBelowRow(attribute), value)
  }

  #count(characters: number): void {
    const row = this.#row
    if (row === null) return
    row.characters += characters
    if (row.characters > rowCharactersMax) {
      this.#refuse(`: the row at line ${row.line} is longer than ${rowCharactersMax} characters`)
    }
  }

  #refuse(problem: string): never {
    throw new Refusal(`"${this.#name}"${problem.startsWith(':') ? '' : ' '}${problem}`)
  }
}

/** Unifies labels of encodings: `ISO-8859-1` and `cp1252` mean windows-1252. */
function canonical(label: string): string {
  try {
    return new TextDecoder(label).encoding
  } catch {
    return label
  }
}
