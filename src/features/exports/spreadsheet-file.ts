import { pipeline, Readable } from 'node:stream'
import { parse } from 'csv-parse'
import { LRUCache } from 'lru-cache'
import { csvText } from '../../core/csv-cell.ts'
import type { ByteRange, StoredFile } from '../../core/file-store.ts'

const rowsAtOnce = 250

/** By ETag: measuring a file reads it whole. */
const lengths = new LRUCache<string, Promise<number>>({ max: 1_000 })

/** Escapes a stored CSV while it is read: once for its length, then for each range. */
export async function spreadsheetFile(file: StoredFile & { etag: string }): Promise<StoredFile> {
  return {
    bytes: await lengthOf(file),
    open: async range => Readable.from(within(spreadsheetPieces(await file.open()), range)),
  }
}

function lengthOf(file: StoredFile & { etag: string }): Promise<number> {
  const { etag } = file
  const cached = lengths.get(etag)
  if (cached !== undefined) return cached
  const length = measureLength(file)
  lengths.set(etag, length)
  length.catch(() => lengths.delete(etag))
  return length
}

async function measureLength(file: StoredFile): Promise<number> {
  let bytes = 0
  for await (const piece of spreadsheetPieces(await file.open())) bytes += piece.length
  return bytes
}

async function* spreadsheetPieces(content: Readable): AsyncGenerator<Buffer, void> {
  const rows = parse()
  // An error of the store surfaces in the loop over the rows.
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
