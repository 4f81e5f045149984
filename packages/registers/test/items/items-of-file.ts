/**
 * Lists the items of a register's file by other means than its reader: records of a CSV, rows with cells of
 * a sheet, elements of a page, members of a JSON array, lines of a PDF. Of the description only what it
 * declares is used: headers, the element of a row, and what is ignored.
 */
import type { Description } from '../../description/description-schema.ts'
import { type Form, type Item, plain, type Register } from './item.ts'
import { itemsOfPage } from './items-of-page.ts'
import {
  belowHeader,
  delimiterOf,
  linesOfPdf,
  recordsOfCsv,
  rowsOfWorkbook,
  wholeLine,
} from './rows-of-table.ts'

export function itemsOfFile(bytes: Buffer, register: Register, form: Form): Item[] {
  return itemsIn(bytes, register, form)
    .map(item => ({ ...item, texts: item.texts.map(plain).filter(text => text !== '') }))
    .filter(item => item.texts.length > 0)
}

function itemsIn(bytes: Buffer, register: Register, form: Form): Item[] {
  const opening = bytes
    .subarray(0, 1_024)
    .toString('latin1')
    .replace(/^\u00EF\u00BB\u00BF/, '')
    .trimStart()
  const { file } = form
  if (opening.startsWith('<') && !opening.startsWith('<?xml') && file?.format !== 'json')
    return itemsOfPage(textOf(bytes), register, form)
  return rowsIn(bytes, opening, register, form).map(texts => ({ texts }))
}

function rowsIn(bytes: Buffer, opening: string, register: Register, form: Form): string[][] {
  const { file } = form
  if (opening.startsWith('%PDF')) {
    const rows = linesOfPdf(bytes, file?.format === 'pdf' ? file.ignore : undefined)
    return file?.format === 'pdf' && file.pattern !== undefined ? rows : belowHeader(rows, register, form)
  }
  if (opening.startsWith('PK')) return belowHeader(rowsOfWorkbook(bytes), register, form)
  const text = textOf(bytes)
  if (/^[[{]/.test(opening)) return itemsOfJson(text)
  if (opening.startsWith('<?xml')) return itemsOfXml(text)
  if (opening.startsWith('<') && file?.format === 'json') return itemsOfScript(text, file)
  const delimiter = file?.format === 'text' ? undefined : delimiterOf(text)
  if (delimiter !== undefined) return belowHeader(recordsOfCsv(text, delimiter), register, form)
  return itemsOfLines(text, file?.format === 'text' ? file : undefined)
}

/** Decodes UTF-8, or else the Central European bytes of the Czech and the Cyrillic ones of the Russian list. */
function textOf(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return new TextDecoder(
      bytes.includes(Buffer.from([0xd4, 0xcd, 0xd1])) ? 'windows-1251' : 'windows-1250',
    ).decode(bytes)
  }
}

const isMember = (value: unknown): value is object => typeof value === 'object' && value !== null

function textsOf(value: unknown): string[] {
  if (isMember(value)) return Object.values(value).flatMap(textsOf)
  return value === null || value === undefined ? [] : String(value).split('\n')
}

/** Returns the longest array of a document that is not within another one. */
function longestArray(whole: unknown): unknown[] {
  if (Array.isArray(whole)) return whole
  const arrays = isMember(whole) ? Object.values(whole).map(longestArray) : []
  return arrays.reduce((one, other) => (other.length > one.length ? other : one), [])
}

const itemsOfJson = (text: string) => longestArray(JSON.parse(text)).map(textsOf)

function itemsOfScript(page: string, file: Extract<Description['file'], { format: 'json' }>): string[][] {
  const [, script = ''] =
    new RegExp(`<script[^>]*\\bid="${file.script}"[^>]*>([\\s\\S]*?)</script>`).exec(page) ?? []
  if (file.references !== true) return itemsOfJson(script)
  const values: unknown[] = JSON.parse(script)
  const valueAt = (index: unknown): unknown => {
    const value = values[Number(index)]
    if (Array.isArray(value)) return value.map(valueAt)
    return isMember(value) ? Object.values(value).map(valueAt) : value
  }
  const holder = values.find(each => isMember(each) && file.rows_at !== undefined && file.rows_at in each)
  return (values[(holder as Record<string, number>)[file.rows_at ?? ''] ?? -1] as unknown[]).map(index =>
    textsOf(valueAt(index)),
  )
}

/** Returns the elements directly below the root. */
function itemsOfXml(text: string): string[][] {
  const [, root = ''] = /<([A-Za-z][\w:]*)[\s>]/.exec(text.replace(/^<\?[\s\S]*?\?>/, '')) ?? []
  const inside = text.slice(text.indexOf('>', text.indexOf(`<${root}`)) + 1, text.lastIndexOf(`</${root}`))
  const [, name = ''] = /<([A-Za-z][\w:]*)/.exec(inside) ?? []
  return inside
    .split(`</${name}>`)
    .slice(0, -1)
    .map(each => each.replaceAll(/<[^>]*>/g, '\n').split('\n'))
}

function itemsOfLines(text: string, file?: Extract<Description['file'], { format: 'text' }>): string[][] {
  const isIgnored = file?.ignore === undefined ? () => false : wholeLine(file.ignore)
  const comment = file?.comment_prefix ?? '#'
  return text
    .split(/\r\n|\r|\n/)
    .slice(file?.skip_lines ?? 0)
    .filter(
      line => !line.trim().startsWith(comment) && !/^\d{8} \d\d:\d\d$/.test(line) && !isIgnored(line.trim()),
    )
    .map(line => [line.replace(/^\d+(?:\.\d+){3}\s+/, '')].concat(file === undefined ? [] : line.split(';')))
}
