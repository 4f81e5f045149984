/** JSON as a table: an array of flat objects, whose members are the columns of source-table.ts. */
import { Refusal, type SourceFile } from '../stream.ts'
import { rowCharactersMax, type TableRecord } from './source-table.ts'
import { readText } from './source-text.ts'

/** A document is read into memory; JSON registers have some 100 KB. */
const jsonCharactersMax = 32 * 1024 * 1024
/** Registers nest three levels; deeper nesting could exhaust the reader. */
const jsonDepthMax = 32
/** Registers have at most twenty; unlimited members would make the table as wide as it is long. */
const membersMax = 256

/**
 * The member names, then a row per object, counted from 1. The array is the document or its member `within`;
 * a nested list is joined with commas; an item that is not an object is a row of one cell.
 */
export async function* readJsonRecords(file: SourceFile, within?: string): AsyncGenerator<TableRecord, void> {
  const items = arrayOf(file.name, await parse(file), within)
  if (items.length === 0) throw new Refusal(`"${file.name}" has no rows`)
  const names = namesOf(file.name, items)
  yield { line: 0, cells: names }
  for (const [index, item] of items.entries()) {
    const line = index + 1
    const cells = isObject(item) ? names.map(name => textOf(item[name])) : [textOf(item)]
    if (cells.reduce((sum, cell) => sum + cell.length, 0) > rowCharactersMax)
      throw new Refusal(`"${file.name}": row ${line} is longer than ${rowCharactersMax} characters`)
    yield { line, cells }
  }
}

function namesOf(file: string, items: readonly unknown[]): string[] {
  const names = new Set<string>()
  for (const item of items.filter(isObject)) {
    for (const name of Object.keys(item)) names.add(name)
    if (names.size > membersMax)
      throw new Refusal(
        `"${file}" has objects of more than ${membersMax} different members: it is not a table`,
      )
  }
  return [...names]
}

async function parse(file: SourceFile): Promise<unknown> {
  let text = ''
  for await (const piece of readText(file, { encoding: 'utf-8', markup: 'none' })) {
    text += piece
    if (text.length > jsonCharactersMax)
      throw new Refusal(`"${file.name}" is longer than ${jsonCharactersMax} characters of JSON`)
  }
  let document: unknown
  try {
    document = JSON.parse(text)
  } catch (cause) {
    throw new Refusal(`"${file.name}" is not whole JSON: ${(cause as Error).message}`, { cause })
  }
  if (isDeeper(document, jsonDepthMax))
    throw new Refusal(`"${file.name}" is JSON nested more than ${jsonDepthMax} levels deep`)
  return document
}

function isDeeper(document: unknown, depthMax: number): boolean {
  let level: unknown[] = [document]
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > depthMax) return true
    level = level.flatMap(each => (typeof each === 'object' && each !== null ? Object.values(each) : []))
  }
  return false
}

function arrayOf(name: string, document: unknown, within: string | undefined): unknown[] {
  const items = within !== undefined && isObject(document) ? document[within] : document
  if (Array.isArray(items)) return items
  const expected = within === undefined ? 'a list' : `a list, alone or as "${within}"`
  throw new Refusal(`"${name}": expected ${expected}, found ${JSON.stringify(document).slice(0, 60)}`)
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

function textOf(value: unknown): string {
  if (value === undefined || value === null) return ''
  if (Array.isArray(value)) return value.map(textOf).join(', ')
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}
