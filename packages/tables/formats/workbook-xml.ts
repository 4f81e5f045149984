/** Reads the XML of one part of a workbook, in pieces and within limits. */
import { SaxesParser } from 'saxes'
import type { ZipArchive } from './zip-archive.ts'

const depthMax = 64
/** Limits the elements of a part; 1,000,000 take 0.5 to 2 s. */
const elementsMax = 5_000_000
const silentCharactersMax = 1_048_576

export type Attributes = Readonly<Record<string, string>>

/**
 * The events of a part. Names of elements have no prefix, so that any prefix is accepted. `around` has the
 * open elements from the root.
 */
export type PartEvents = {
  open?: (name: string, attributes: Attributes, around: readonly string[]) => void
  text?: (text: string, around: readonly string[]) => void
  close?: (name: string) => void
}

/** Parses a part. It yields after each piece, so that the caller can process what its events gathered. */
export async function* readPart(
  archive: ZipArchive,
  part: string,
  events: PartEvents,
): AsyncGenerator<void, void> {
  const refuse = (problem: string) => archive.refuse(`has a part ${part} that ${problem}`)
  const around: string[] = []
  let silent = 0
  let elements = 0
  const parser = new SaxesParser<{ xmlns: false; position: false }>({ xmlns: false, position: false })
  parser.on('error', () => refuse('is not complete XML'))
  parser.on('doctype', () => refuse('has a document type, which is not accepted'))
  parser.on('opentag', ({ name, attributes }) => {
    silent = 0
    elements += 1
    if (elements > elementsMax) refuse(`has more than ${elementsMax} elements`)
    const element = localName(name)
    around.push(element)
    if (around.length > depthMax) refuse(`nests its elements deeper than ${depthMax}`)
    events.open?.(element, attributes, around)
  })
  const text = (content: string) => events.text?.(content, around)
  parser.on('text', text)
  parser.on('cdata', text)
  parser.on('closetag', () => {
    silent = 0
    const element = around.pop() as string
    events.close?.(element)
  })
  const write = (piece: string) => {
    silent += piece.length
    parser.write(piece)
    if (silent > silentCharactersMax) refuse(`has more than ${silentCharactersMax} characters without a tag`)
  }
  const decoder = new TextDecoder('utf-8', { fatal: true })
  const decoded = (bytes?: Uint8Array) => {
    try {
      return decoder.decode(bytes, { stream: bytes !== undefined })
    } catch {
      return refuse('is not UTF-8 text')
    }
  }
  for await (const piece of archive.pieces(part)) {
    write(decoded(piece))
    yield
  }
  write(decoded())
  parser.close()
  yield
}

export async function readWholePart(archive: ZipArchive, part: string, events: PartEvents): Promise<void> {
  for await (const _ of readPart(archive, part, events));
}

export const localName = (name: string) => name.slice(name.indexOf(':') + 1)

/** Reads a flag, which is written as `1` or `true`. */
export const isOn = (value: string | undefined) => value === '1' || value === 'true'

/** Decodes the characters that cells write as `_x000D_`. */
export const unescaped = (text: string) =>
  text.replaceAll(/_x([0-9a-f]{4})_/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
