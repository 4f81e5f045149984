import { readFileSync } from 'node:fs'
import { fileOfBytes, type SourceFile } from '@baize/tables'
import type {
  AuthorisationRow,
  BlocklistRow,
  LicenseeRow,
  LicenseRow,
  Notice,
  Reading,
  Reject,
} from '../stream.ts'

/** Reads a fixture in pieces of seven bytes, which split multi-byte characters and line ends. */
export function fixture(path: URL, pieceBytes = 7): SourceFile {
  return fileOfBytes(path.pathname.split('/').at(-1) ?? '', readFileSync(path), pieceBytes)
}

export type Gathered = {
  blocklist_entry: BlocklistRow[]
  licensee: LicenseeRow[]
  license: LicenseRow[]
  authorisation: AuthorisationRow[]
  reject: Reject[]
  notice: Notice[]
}

export async function gather(readings: AsyncIterable<Reading>): Promise<Gathered> {
  const gathered: Gathered = {
    blocklist_entry: [],
    licensee: [],
    license: [],
    authorisation: [],
    reject: [],
    notice: [],
  }
  for await (const reading of readings) {
    const rows: Reading[] = gathered[reading.record]
    rows.push(reading)
  }
  return gathered
}

export const rejectTexts = (rejects: readonly Reject[]) =>
  rejects.map(each => `${each.reason} ${each.published}`)

export async function listOf<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const list: Item[] = []
  for await (const item of items) list.push(item)
  return list
}
