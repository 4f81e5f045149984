import type { Readable } from 'node:stream'
import { Failure } from './failure.ts'

/** Bytes `start` to `end`, both included, counted from 0. */
export type ByteRange = { start: number; end: number }

export type StoredFile = { bytes: number; open(range?: ByteRange): Promise<Readable> }

/**
 * Stores files too large for rows: exports, logos. Names are relative paths (`logos/ab12….svg`) with a
 * digest or an attempt id in them, so that a name is never written with other content.
 */
export type FileStore = {
  /** Atomic: afterwards the name has the whole file or none. */
  put(name: string, content: Readable): Promise<{ bytes: number }>
  /** null: there is no such file. */
  find(name: string): Promise<StoredFile | null>
  /** Succeeds for a missing file. */
  remove(name: string): Promise<void>
  /** Files below a folder, for removing unreferenced ones. */
  list(folder: string): AsyncIterable<{ name: string; modifiedAt: Date }>
}

const retryAfterSeconds = 10

export function fileStoreUnavailable(cause: unknown): never {
  throw new Failure('service_unavailable', {
    message: 'The file store is unavailable; try again.',
    retryAfterSeconds,
    cause,
  })
}
