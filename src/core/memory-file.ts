import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import type { StoredFile } from './file-store.ts'

export function memoryFile(content: Buffer): StoredFile & { etag: string } {
  return {
    bytes: content.length,
    etag: createHash('sha256').update(content).digest('hex'),
    open: async range =>
      Readable.from([range === undefined ? content : content.subarray(range.start, range.end + 1)]),
  }
}
