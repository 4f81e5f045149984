import type { Database, Transaction } from '../../database/open.ts'
import { FileWriter, openStoredFile } from '../../journal/index.ts'
import { judgeAgain } from '../source/published-entry.ts'
import type { NormalisedRow, SourceFile } from '../stream.ts'
import type { RawFile } from './raw-file.ts'

const lineBreak = 0x0a

export async function storeRawFiles(tx: Transaction, files: readonly SourceFile[]): Promise<RawFile[]> {
  const stored: RawFile[] = []
  for (const file of files) {
    const keeper = new FileWriter(tx)
    let lastByte: number | undefined
    for await (const piece of file.open()) {
      await keeper.write(piece)
      lastByte = piece.at(-1) ?? lastByte
    }
    const { sha256, bytes } = await keeper.end()
    stored.push({ name: file.name, sha256: sha256.toString('hex'), bytes, ends_line: lastByte === lineBreak })
  }
  return stored
}

export function storedSources(database: Database, files: readonly RawFile[]): SourceFile[] {
  return files.map(({ name, sha256 }) => ({
    name,
    open: () => openStoredFile(database, Buffer.from(sha256, 'hex')),
  }))
}

/**
 * The normalised rows of a stored snapshot, in the order of its files. Entries have today's scopes: an
 * approval or a replay of an older reading must not bring its own back.
 */
export async function* storedRows(database: Database, sha256: Buffer): AsyncGenerator<NormalisedRow, void> {
  const decoder = new TextDecoder()
  let rest = ''
  for await (const piece of openStoredFile(database, sha256)) {
    const lines = (rest + decoder.decode(piece, { stream: true })).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) yield judgedToday(JSON.parse(line) as NormalisedRow)
  }
}

function judgedToday(row: NormalisedRow): NormalisedRow {
  return row.record === 'blocklist_entry' ? { ...row, ...judgeAgain(row) } : row
}
