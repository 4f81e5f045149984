import { pipeline, Readable } from 'node:stream'
import { parse } from 'csv-parse'
import { LRUCache } from 'lru-cache'
import { csvText } from '../../core/csv-cell.ts'
import type { ByteRange, StoredFile } from '../../core/file-store.ts'

const rowsAtOnce = 250

/** By the exact file's etag: each costs a whole reading. */
const lengths = new LRUCache<string, Promise<number>>({ max: 1_000 })

/**
 * A stored CSV as it is made for spreadsheets (core/csv-cell.ts). What is stored is exact, so this is made as it is read:
 * once for its length, which is remembered, and then as far as each range that is sent reaches.
 */
export async function spreadsheetFile(file: StoredFile & { etag: string }): Promise<StoredFile> {
  return {
    bytes: await lengthOf(file),
    open: async range => Readable.from(within(spreadsheetPieces(await file.open()), range)),
  }
}

function lengthOf(file: StoredFile & { etag: string }): Promise<number> {
  const { etag } = file
  const known = lengths.get(etag)
  if (known !== undefined) return known
  const length = measured(file)
  lengths.set(etag, length)
  // A store that broke off is asked again.
  length.catch(() => lengths.delete(etag))
  return length
}

async function measured(file: StoredFile): Promise<number> {
  let bytes = 0
  for await (const piece of spreadsheetPieces(await file.open())) bytes += piece.length
  return bytes
}

async function* spreadsheetPieces(content: Readable): AsyncGenerator<Buffer, void> {
  const rows = parse()
  // A store that breaks off is told by the rows, which end with its error.
  pipeline(content, rows, () => {})
  let batch: string[][] = []
  const written = () => Buffer.from(csvText(batch, { forSpreadsheet: true }))
  for await (const row of rows as AsyncIterable<string[]>) {
    batch.push(row)
    if (batch.length < rowsAtOnce) continue
    yield written()
    batch = []
  }
  if (batch.length > 0) yield written()
}

async function* within(
  pieces: AsyncGenerator<Buffer, void>,
  range?: ByteRange,
): AsyncGenerator<Buffer, void> {
  const { start, end } = range ?? { start: 0, end: Number.POSITIVE_INFINITY }
  let position = 0
  for await (const piece of pieces) {
    const part = piece.subarray(Math.max(0, start - position), Math.max(0, end + 1 - position))
    position += piece.length
    if (part.length > 0) yield part
    if (position > end) return
  }
}
