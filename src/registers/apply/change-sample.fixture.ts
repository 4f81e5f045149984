/** Changes official samples within their format, for tests of broken answers. */

import { isUtf8 } from 'node:buffer'
import type { NormalisedRow } from '@baize/registers'
import type { SourceFile } from '@baize/tables'
import { unzipParts, zipParts } from '@baize/tables/test/make-files'

type Format = 'pdf' | 'xlsx' | 'xml' | 'html' | 'json' | 'text'
export type SampleFile = { name: string; bytes: Buffer; format: Format }

export async function sampleFile({ name, open }: SourceFile): Promise<SampleFile> {
  const bytes = Buffer.concat(await Array.fromAsync(open()))
  return { name, bytes, format: formatOf(bytes.toString('utf8', 0, 200)) }
}

function formatOf(opening: string): Format {
  const start = opening.replace('\ufeff', '').trimStart()
  if (start.startsWith('%PDF')) return 'pdf'
  if (start.startsWith('PK')) return 'xlsx'
  if (start.startsWith('<?xml')) return 'xml'
  if (start.startsWith('<')) return 'html'
  return /^[[{]/.test(start) ? 'json' : 'text'
}

/**
 * Changes the text of a file or the sheets of a workbook. Returns null if nothing changes. A PDF's text
 * keeps its length.
 */
export async function changeText(file: SampleFile, change: (text: string) => string): Promise<Buffer | null> {
  if (file.format !== 'xlsx') {
    const encoding = isUtf8(file.bytes) ? 'utf8' : 'latin1'
    const changed = Buffer.from(change(file.bytes.toString(encoding)), encoding)
    return changed.equals(file.bytes) ? null : changed
  }
  const parts = [...unzipParts(file.bytes)]
  const changed = parts.map(([name, part]): [string, Buffer] =>
    name.includes('worksheets/') ? [name, Buffer.from(change(part.toString()))] : [name, part],
  )
  const isSame = changed.every(([, part], index) => parts[index]?.[1].equals(part))
  return isSame ? null : zipParts(new Map(changed))
}

/** Returns what identifies a record in its file. */
export function nameOf(row: NormalisedRow): string {
  if (row.record === 'licensee') return row.legalName
  return row.record === 'license' ? (row.licenseNumber ?? row.recordKey) : row.published
}

/** Replaces each letter by another one. */
const rotated = (text: string) =>
  text.replaceAll(/[a-z]/gi, letter => {
    const first = letter < 'a' ? 65 : 97
    return String.fromCharCode(first + ((letter.charCodeAt(0) - first + 13) % 26))
  })

const labelsOf = (rows: readonly NormalisedRow[]) =>
  rows.flatMap(row => ('domain' in row && row.domain?.split('.')[0]) || [])

/** Renames the sites of these records. */
export function withOtherSites(text: string, rows: readonly NormalisedRow[]): string {
  const labels = labelsOf(rows)
  if (labels.length === 0) return text
  return text.replaceAll(new RegExp(`(?<![\\w-])(?:${labels.join('|')})(?=\\.)`, 'gi'), rotated)
}

/** Renames one site, or one licensee in a register without sites. */
export function withOtherRecord(text: string, rows: readonly NormalisedRow[]): string {
  const site = rows.find(row => labelsOf([row]).length > 0)
  if (site !== undefined) return withOtherSites(text, [site])
  const name = rows.map(nameOf).find(each => text.includes(each)) ?? ''
  return text.replaceAll(name, rotated(name))
}

const reversed = (text: string) =>
  text.replaceAll(/[\p{L}_]{2,}/gu, word => [...word.toLowerCase()].reverse().join(''))

const contentPattern = /(?<=>)[^<>:]+(?=[:<])/g
/** A label repeats in each record, at least this often. */
const labelRepeatsMin = 10

/** Renames headers, labels, members and marks. */
export function withOtherHeaders(text: string, format: Format, rows: readonly NormalisedRow[]): string {
  const record = Math.min(...rows.map(row => text.indexOf(nameOf(row))).filter(place => place >= 0))
  const above = (place: number, pattern: RegExp) =>
    text.slice(0, place).replaceAll(pattern, reversed) + text.slice(place)
  switch (format) {
    case 'json':
      return withOtherMembers(text)
    case 'xml':
      return text.replaceAll(/(<\/?)([A-Z]\w+)/g, '$1X$2')
    case 'pdf':
      return above(record, /\(([^)]*)\)(?= Tj)/g)
    case 'xlsx':
      return above(text.lastIndexOf('<row', record), /(?<=<t>)[^<]+/g)
    case 'text':
      return above(text.lastIndexOf('\n', record) + 1, /[\s\S]+/g)
  }
  const repeats = Map.groupBy(text.match(contentPattern) ?? [], content => content)
  const firstRow = Math.max(text.lastIndexOf('<tr', record), text.lastIndexOf('<li', record))
  const isLabel = (content: string, place: number) =>
    place < (firstRow < 0 ? record : firstRow) ||
    /^:(?!\/)/.test(text.slice(place + content.length, place + content.length + 2)) ||
    (repeats.get(content)?.length ?? 0) >= labelRepeatsMin
  const relabelled = text.replaceAll(contentPattern, (content, place: number) =>
    isLabel(content, place) ? reversed(content) : content,
  )
  return withOtherMembers(relabelled).replaceAll(
    / (class|id)="([^"]*)"/g,
    (_, name, marks: string) => ` ${name}="${marks.replaceAll(/\S+/g, 'other-$&')}"`,
  )
}

const withOtherMembers = (text: string) => text.replaceAll(/"(\w+)"(?=\s*:)/g, '"other_$1"')

/** Matches rows, and their cells, that contain a site or a number. */
const rowPatterns: Partial<Record<Format, [row: RegExp, cell: RegExp]>> = {
  html: [/<tr[^>]*>[\s\S]*?<\/tr>/g, /<td[\s\S]*?<\/td>/g],
  xlsx: [/<row[\s\S]*?<\/row>/g, /(?<=<c r="[A-Z]+\d+")[\s\S]*?<\/c>/g],
  json: [/\{[^{}[\]]*\}/g, /(?<="\w+"\s*:\s*)(?:"[^"]*"|\d+)/g],
  text: [/^.*\d.*$/gm, /(?<=^|[;,])(?:"[^"]*"|[^;,"\r]*)(?=[;,\r]|$)/g],
}

/** Moves the values of each row one column further, below the same headers. */
export function withMovedColumns(text: string, format: Format): string {
  const [row, cell] = rowPatterns[format] ?? []
  if (row === undefined || cell === undefined) return text
  return text.replaceAll(row, (whole: string) => {
    const cells = whole.match(cell) ?? []
    let next = cells.length - 1
    return whole.replaceAll(cell, () => cells[next++ % cells.length] as string)
  })
}
