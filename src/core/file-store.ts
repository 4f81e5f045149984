import type { Readable } from 'node:stream'
import { Failure } from './failure.ts'

/** Bytes `start` to `end` of a file, both of them included, counted from 0. */
export type ByteRange = { start: number; end: number }

/** A file that can be read, whole or a range of it, as often as it is asked for. */
export type StoredFile = { bytes: number; open(range?: ByteRange): Promise<Readable> }

/**
 * Where files lie that are too large for rows: exports, logos. Names are relative paths (`logos/ab12….svg`), given once and
 * never overwritten with something else: by content, or by the attempt that writes.
 */
export type FileStore = {
  /** Writes a stream; what exists under the name afterwards is the whole file or nothing. */
  put(name: string, content: Readable): Promise<{ bytes: number }>
  /** null: there is no such file. */
  find(name: string): Promise<StoredFile | null>
  /** A file that is not there is removed already. */
  remove(name: string): Promise<void>
  /** What lies below a folder, for sweeping what nobody names any more. */
  list(folder: string): AsyncIterable<{ name: string; modifiedAt: Date }>
}

const awayRetryAfterSeconds = 10

/** For whoever waits for a file: whatever a store failed with, it may do it later. */
export function fileStoreUnavailable(cause: unknown): never {
  throw new Failure('service_unavailable', {
    message: 'The store of the files does not answer; try again.',
    retryAfterSeconds: awayRetryAfterSeconds,
    cause,
  })
}
