/**
 * Reads a JSON file with its rows in an array. The file is parsed as a whole, so a truncated file has no
 * rows.
 */

import type { FormOf } from '../description/file-forms.ts'
import { Refusal, type SourceFile } from '../source/source-file.ts'
import type { Layout, TableRow } from '../source/source-table.ts'
import { readText } from '../source/source-text.ts'
import { besideRowsNotice } from './beside-rows.ts'
import { type Element, elementsOf, parseHtmlFile } from './html-page.ts'
import { referencedRows } from './json-references.ts'
import { addValue, MemberColumns, type MemberValues } from './member-columns.ts'

/** Limits memory: 1,000,000 hosts with a date are 60 MB of text and about 600 MB in memory. */
const jsonCharactersMax = 64 * 1024 * 1024
const depthMax = 10
const valuesPerRowMax = 10_000
const shownValuesMax = 20

export async function* readJsonRows(
  file: SourceFile,
  form: FormOf<'json'>,
  layout: Layout<string>,
): AsyncGenerator<TableRow<string>, void> {
  const whole = await parseWhole(file, form.script)
  const { references, rows_at: path } = form
  const items =
    references === true ? referencedRows(file.name, whole, path ?? '') : rowsAt(file.name, whole, path)
  const columns = new MemberColumns(file.name, layout, 'members')
  for (const [index, item] of items.entries()) {
    const line = index + 1
    const values: MemberValues = new Map()
    const isRow = isObject(item) || columns.knows('.') || (references === true && Array.isArray(item))
    if (isRow && collect(item, '', values, { left: valuesPerRowMax })) yield* columns.row(line, values)
    else yield { kind: 'misshapen', line, published: printed(item, values) }
  }
  columns.refuseMissing()
  if (references !== true)
    for (const name of otherLists(whole, path))
      yield { kind: 'notice', notice: besideRowsNotice, published: name }
}

/** Names the other lists of objects beside the rows, which may be rows under another name. */
function otherLists(whole: unknown, path = ''): string[] {
  const names = path.split('/')
  const around = names.slice(0, -1).reduce((found, name) => (found as Record<string, unknown>)[name], whole)
  if (path === '' || !isObject(around)) return []
  return Object.entries(around)
    .filter(([name, value]) => name !== names.at(-1) && Array.isArray(value) && value.some(isObject))
    .map(([name]) => name)
}

/**
 * Prints enough of an item to find it again. It is not JSON, because a deeply nested item would overflow
 * the stack.
 */
function printed(item: unknown, values: MemberValues): string {
  if (typeof item !== 'object') return String(item)
  const texts = values
    .values()
    .take(shownValuesMax)
    .flatMap(each => each.slice(0, shownValuesMax))
  return [...texts].join(' | ')
}

async function parseWhole(file: SourceFile, script: string | undefined): Promise<unknown> {
  const text = script === undefined ? await wholeText(file) : await scriptText(file, script)
  try {
    return JSON.parse(text)
  } catch (cause) {
    const [place] = /line \d+ column \d+/.exec(String(cause)) ?? ['its end']
    throw new Refusal(`"${file.name}" is not complete JSON: it cannot be read on from ${place}`, { cause })
  }
}

async function wholeText(file: SourceFile): Promise<string> {
  const pieces: string[] = []
  let characters = 0
  for await (const piece of readText(file, { encoding: 'utf-8', markup: 'none' })) {
    characters += piece.length
    if (characters > jsonCharactersMax) {
      throw new Refusal(
        `"${file.name}" is larger than ${jsonCharactersMax / 1024 / 1024} Mi characters, the limit for JSON`,
      )
    }
    pieces.push(piece)
  }
  return pieces.join('')
}

/** Returns the content of the script element with this id, where a page stores data for its own script. */
async function scriptText(file: SourceFile, id: string): Promise<string> {
  const page = await parseHtmlFile(file, 'utf-8', () => false)
  const isScript = ({ tagName, attrs }: Element) =>
    tagName === 'script' && attrs.some(({ name, value }) => name === 'id' && value === id)
  const content = elementsOf(page).find(isScript)?.childNodes[0]
  if (content === undefined || !('value' in content))
    throw new Refusal(`"${file.name}": expected a script element with the id ${id}, found none`)
  return content.value
}

function rowsAt(name: string, whole: unknown, path: string | undefined): unknown[] {
  let found = whole
  for (const member of path?.split('/') ?? []) {
    if (!isObject(found) || !Object.hasOwn(found, member)) {
      const members = isObject(found)
        ? `the members ${Object.keys(found).slice(0, 20).join(', ')}`
        : kindOf(found)
      throw new Refusal(
        `"${name}": expected rows at ${path}, found no "${member}" but ${members}`.slice(0, 600),
      )
    }
    found = found[member]
  }
  if (Array.isArray(found)) return found
  throw new Refusal(
    `"${name}": expected an array${path === undefined ? '' : ` at ${path}`}, found ${kindOf(found)}`,
  )
}

/**
 * Collects scalars by member path, without array indexes. Returns false if there are too many or they are
 * too deep.
 */
// biome-ignore lint/complexity/useMaxParams: recursive; an object for each value would be garbage.
function collect(
  value: unknown,
  path: string,
  values: MemberValues,
  room: { left: number },
  depth = 0,
): boolean {
  room.left -= 1
  if (room.left < 0 || depth > depthMax) return false
  if (Array.isArray(value)) return value.every(each => collect(each, path, values, room, depth + 1))
  if (isObject(value)) {
    return Object.entries(value).every(([member, each]) =>
      collect(each, path === '' ? member : `${path}/${member}`, values, room, depth + 1),
    )
  }
  addValue(values, path === '' ? '.' : path, value === null ? '' : String(value))
  return true
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

function kindOf(value: unknown): string {
  if (Array.isArray(value)) return 'an array'
  if (value === null) return 'null'
  return isObject(value) ? 'an object' : `a ${typeof value}`
}
