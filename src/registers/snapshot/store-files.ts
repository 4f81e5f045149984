import type { NormalisedRow } from '@baize/registers'
import { judgeAgain, withoutPerson } from '@baize/registers/entries'
import type { RawFile } from '@baize/registers/guard'
import type { SourceFile } from '@baize/tables'
import type { Database, Transaction } from '../../database/open.ts'
import { openPersonNames } from '../../features/licensee-names/index.ts'
import { FileWriter, openStoredFile } from '../../journal/index.ts'

const lineBreaks: readonly (number | undefined)[] = [0x0a, 0x0d]

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
    const endsLine = lineBreaks.includes(lastByte)
    stored.push({ name: file.name, sha256: sha256.toString('hex'), bytes, ends_line: endsLine })
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
 * Yields the normalised rows of a stored snapshot, in the order of its files. Entries have today's scopes,
 * so that an approval or a replay of an older reading does not restore old ones.
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

/** Hides the people that staff decided since, because stored rows may be older than the decision. */
export async function* withoutDecided(
  database: Database,
  rows: AsyncIterable<NormalisedRow>,
): AsyncGenerator<NormalisedRow, void> {
  const isPerson = await openPersonNames(database)
  for await (const row of rows)
    yield isPerson === null ? row : (withoutPerson(row, isPerson) as NormalisedRow)
}
