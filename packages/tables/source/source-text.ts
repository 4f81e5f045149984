/** Decodes files in pieces, and refuses failed downloads (an error page, nothing, a workbook) at once. */
import { Refusal, type SourceFile } from './source-file.ts'

export const encodings = [
  'utf-8',
  'windows-1250',
  'windows-1251',
  'windows-1252',
  'windows-1253',
  'windows-1254',
  'windows-1257',
  'iso-8859-2',
  'iso-8859-7',
  'iso-8859-15',
  'koi8-r',
] as const
export type TextEncoding = (typeof encodings)[number]

const lineCharactersMax = 65_536
/** This many characters contain a doctype even after some comments. */
const openingCharacters = 1_024

export type TextForm = {
  /**
   * All encodings but utf-8 decode nearly any bytes, so a header with diacritics must confirm them
   * (source-table.ts).
   */
  encoding: TextEncoding
  markup: 'none' | 'xml' | 'html'
}

export async function* readText(file: SourceFile, form: TextForm): AsyncGenerator<string, void> {
  let opening: string | null = ''
  for await (const text of decode(file, form.encoding)) {
    if (opening === null) {
      yield text
      continue
    }
    opening += text
    if (opening.length < openingCharacters) continue
    refuseWrongKind(file.name, opening, form)
    yield opening
    opening = null
  }
  if (opening === null) return
  refuseWrongKind(file.name, opening, form)
  yield opening
}

export type Line = { number: number; text: string }

/** Reads lines that end with LF, CRLF or CR, without their ends. Numbers start at 1. */
export async function* readTextLines(file: SourceFile, form: TextForm): AsyncGenerator<Line, void> {
  let number = 0
  let rest = ''
  for await (const text of readText(file, form)) {
    // A CR at the end of a piece may belong to an LF at the start of the next one.
    const whole = rest + text
    const openEnd = whole.endsWith('\r') ? '\r' : ''
    const lines = (openEnd === '' ? whole : whole.slice(0, -1)).split(/\r\n|\n|\r/)
    rest = (lines.pop() ?? '') + openEnd
    for (const line of lines) yield { number: ++number, text: bounded(file.name, line, number) }
    bounded(file.name, rest, number + 1)
  }
  if (rest !== '') yield { number: ++number, text: rest.replace(/\r$/, '') }
}

function bounded(name: string, line: string, number: number): string {
  if (line.length <= lineCharactersMax) return line
  throw new Refusal(`"${name}": line ${number} is longer than ${lineCharactersMax} characters; expected rows`)
}

async function* decode(file: SourceFile, encoding: TextEncoding): AsyncGenerator<string, void> {
  // The decoder drops a byte order mark.
  const decoder = new TextDecoder(encoding, { fatal: true })
  let bytes = 0
  for await (const chunk of file.open()) {
    if (bytes === 0) refuseMagic(file.name, chunk)
    bytes += chunk.length
    yield decoded(file.name, encoding, bytes, () => decoder.decode(chunk, { stream: true }))
  }
  yield decoded(file.name, encoding, bytes, () => decoder.decode())
}

function decoded(name: string, encoding: TextEncoding, bytes: number, decode: () => string): string {
  try {
    return decode()
  } catch (cause) {
    throw new Refusal(
      `"${name}": expected ${encoding} text, found other bytes among the first ${bytes}; the file is cut ` +
        'off inside a character, or has another encoding',
      { cause },
    )
  }
}

const magics = [
  { kind: 'a zip archive or an xlsx workbook', bytes: [0x50, 0x4b, 0x03, 0x04] },
  { kind: 'an xls workbook', bytes: [0xd0, 0xcf, 0x11, 0xe0] },
  { kind: 'a PDF document', bytes: [0x25, 0x50, 0x44, 0x46] },
  { kind: 'gzip', bytes: [0x1f, 0x8b] },
  { kind: 'UTF-16 text', bytes: [0xff, 0xfe] },
  { kind: 'UTF-16 text', bytes: [0xfe, 0xff] },
]

/** Detects a binary file by its first bytes; undefined for text and unknown kinds. */
export function kindByMagic(chunk: Uint8Array): string | undefined {
  return magics.find(magic => magic.bytes.every((byte, index) => chunk[index] === byte))?.kind
}

function refuseMagic(name: string, chunk: Uint8Array): void {
  const kind = kindByMagic(chunk)
  if (kind !== undefined) throw new Refusal(`"${name}": expected text, found ${kind}`)
}

function refuseWrongKind(name: string, opening: string, form: TextForm): void {
  const start = opening.trimStart()
  if (start === '') throw new Refusal(`"${name}" is empty`)
  if (opening.includes('\0')) throw new Refusal(`"${name}": expected text, found zero bytes`)
  const found = `found "${start.slice(0, 60).replaceAll(/\s+/g, ' ')}"`
  if (form.markup === 'html') {
    if (!start.startsWith('<')) throw new Refusal(`"${name}": expected HTML, ${found}`)
    return
  }
  if (/<!doctype html|<html|<head|<body/i.test(start.slice(0, openingCharacters))) {
    throw new Refusal(`"${name}" is an HTML page, probably of a failed download; ${found}`)
  }
  const marked = start.startsWith('<')
  if (marked && form.markup === 'none') throw new Refusal(`"${name}": expected rows, ${found}`)
  if (!marked && form.markup === 'xml') throw new Refusal(`"${name}": expected XML, ${found}`)
}
