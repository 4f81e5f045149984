/** Reads contents by descriptions, for tests. */
import { readFileSync } from 'node:fs'
import { fileOfBytes, readTable, readTableDescription, type TableDescription } from '../index.ts'

export const fixtureText = (name: string) =>
  readFileSync(new URL(`fixtures/${name}`, import.meta.url), 'utf8')
export const fixtureBytes = (name: string) => readFileSync(new URL(`fixtures/${name}`, import.meta.url))

const textOf = (description: string | object) =>
  typeof description === 'string' ? description : JSON.stringify(description, null, 1)

export function described(description: string | object): TableDescription {
  const read = readTableDescription(textOf(description))
  if (!read.ok) throw new Error(read.problems.map(({ line, message }) => `${line}: ${message}`).join('\n'))
  return read.value
}

/** Returns each problem as `line:column message`. */
export function problemsOf(description: string | object): string[] {
  const read = readTableDescription(textOf(description))
  return read.ok ? [] : read.problems.map(({ line, column, message }) => `${line}:${column} ${message}`)
}

export type Gathered = {
  rows: Record<string, string>[]
  misshapen: string[]
  leftOut: string[]
  unknown: string[]
  notices: string[]
}

/** Reads files. `misshapen` and `leftOut` are texts that start with their lines. */
export async function readFiles(
  description: string | object,
  contents: readonly (Uint8Array | string)[],
  { name = 'file', pieceBytes = 1_024 } = {},
): Promise<Gathered> {
  const files = contents.map(content => fileOfBytes(name, content, pieceBytes))
  const gathered: Gathered = { rows: [], misshapen: [], leftOut: [], unknown: [], notices: [] }
  for await (const reading of readTable(files, described(description))) {
    if (reading.kind === 'row') gathered.rows.push(reading.cells)
    else if (reading.kind === 'unknown_column') gathered.unknown.push(reading.name)
    else if (reading.kind === 'notice') gathered.notices.push(`${reading.notice}: ${reading.published}`)
    else {
      const list = reading.kind === 'misshapen' ? gathered.misshapen : gathered.leftOut
      list.push(`${reading.line} ${reading.published}`)
    }
  }
  return gathered
}

export const read = (description: string | object, content: Uint8Array | string, name?: string) =>
  readFiles(description, [content], name === undefined ? {} : { name })
