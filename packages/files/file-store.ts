import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'

/** The bytes from `start` to `end`, both included, counted from 0. */
export type ByteRange = { start: number; end: number }

export type StoredFile = { bytes: number; open(range?: ByteRange): Promise<Readable> }

/**
 * Stores files too large for rows: exports and logos. Each relative path (`logos/ab12….svg`) has a digest
 * or an attempt id, so no name ever gets other content.
 */
export type FileStore = {
  /** Writes atomically: afterwards the name has the whole file, or no file. */
  put(name: string, content: Readable): Promise<{ bytes: number }>
  /** Returns null if no such file exists. */
  find(name: string): Promise<StoredFile | null>
  /** Removes a file; succeeds if it is missing. */
  remove(name: string): Promise<void>
  /** Lists the files below a folder, so that unreferenced ones can be removed. */
  list(folder: string): AsyncIterable<{ name: string; modifiedAt: Date }>
}

export function memoryFile(content: Buffer): StoredFile & { etag: string } {
  return {
    bytes: content.length,
    etag: createHash('sha256').update(content).digest('hex'),
    open: async range =>
      Readable.from([range === undefined ? content : content.subarray(range.start, range.end + 1)]),
  }
}
