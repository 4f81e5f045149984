/**
 * Checks the parts of a workbook before the spreadsheet reader gets them. That reader fills every gap with
 * rows and cells, so one cell at `ZZZ999999` would exhaust the memory. It also accepts truncated XML.
 */
import { SaxesParser } from 'saxes'
import { Refusal } from '../stream.ts'

const rowsMax = 1_048_576
const columnsMax = 16_384
/** Rows times columns, including empty cells. */
const cellsMax = 10_000_000
const depthMax = 64
const pieceBytes = 65_536
const silentCharactersMax = 1_048_576

type Extent = { rows: number; columns: number }

export function checkWorkbook(fileName: string, parts: ReadonlyMap<string, Buffer>): void {
  for (const [name, part] of parts) {
    const { rows, columns } = checkPart(`"${fileName}": the part ${name}`, part)
    if (rows * columns > cellsMax) {
      throw new Refusal(
        `"${fileName}": the part ${name} reaches to row ${rows} and column ${columns}; ` +
          `at most ${cellsMax} cells are accepted`,
      )
    }
  }
}

function checkPart(what: string, part: Buffer): Extent {
  const refuse = (problem: string): never => {
    throw new Refusal(`${what} ${problem}`)
  }
  const extent = { rows: 0, columns: 0 }
  let column = 0
  let depth = 0
  let silent = 0
  const parser = new SaxesParser({ position: false })
  parser.on('error', error => refuse(`is not complete XML: ${error.message}`))
  parser.on('doctype', () => refuse('has a document type, which is not accepted'))
  parser.on('opentag', ({ name, attributes }) => {
    silent = 0
    depth += 1
    if (depth > depthMax) refuse(`nests its elements deeper than ${depthMax}`)
    const element = local(name)
    // Only cells with a value count: many sheets have formatted cells far beyond their table.
    if (element === 'v' || element === 'is') extent.columns = Math.max(extent.columns, column)
    if (element !== 'row' && element !== 'c') return
    for (const [attribute, value] of Object.entries(attributes)) {
      if (local(attribute) !== 'r') continue
      const place =
        placeOf(value) ?? refuse(`has a row or cell at "${value.slice(0, 20)}", which is outside of a sheet`)
      extent.rows = Math.max(extent.rows, place.row)
      column = place.column
    }
  })
  parser.on('closetag', () => {
    silent = 0
    depth -= 1
  })
  try {
    const decoder = new TextDecoder('utf-8', { fatal: true })
    for (let start = 0; start < part.length; start += pieceBytes) {
      const piece = decoder.decode(part.subarray(start, start + pieceBytes), { stream: true })
      silent += piece.length
      parser.write(piece)
      if (silent > silentCharactersMax)
        refuse(`has more than ${silentCharactersMax} characters without a tag`)
    }
    parser.write(decoder.decode()).close()
  } catch (error) {
    if (error instanceof Refusal) throw error
    refuse('is not UTF-8 text')
  }
  return extent
}

/** The spreadsheet reader ignores prefixes. */
const local = (name: string) => name.slice(name.indexOf(':') + 1)

function placeOf(text: string): { row: number; column: number } | null {
  const match = /^([A-Z]{0,3})(\d{1,7})$/.exec(text)
  if (match === null) return null
  const column = [...(match[1] ?? '')].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0)
  const row = Number(match[2])
  return row > 0 && row <= rowsMax && column <= columnsMax ? { row, column } : null
}
