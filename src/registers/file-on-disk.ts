import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { basename } from 'node:path'
import type { SourceFile } from './stream.ts'

/** Four times the largest register known (1,000,000 hosts are 25 MB); what is larger is not a register. */
export const sourceFileBytesMax = 256 * 1024 * 1024

/** A file on disk as a source. Fails where it stands: a missing or empty file is the caller's mistake, not the register's. */
export async function sourceFileFrom(path: string): Promise<SourceFile> {
  const facts = await stat(path).catch((error: NodeJS.ErrnoException) => {
    throw new Error(
      error.code === 'ENOENT' ? `${path}: there is no such file` : `${path}: ${error.message}`,
      {
        cause: error,
      },
    )
  })
  if (!facts.isFile()) throw new Error(`${path}: that is not a file`)
  if (facts.size === 0) throw new Error(`${path}: the file is empty`)
  if (facts.size > sourceFileBytesMax) throw new Error(tooLarge(path))
  return { name: basename(path), open: () => bytesOf(path) }
}

/** Counts again while reading, since a file can grow after it was measured. */
async function* bytesOf(path: string): AsyncGenerator<Uint8Array> {
  let bytes = 0
  for await (const chunk of createReadStream(path) as AsyncIterable<Uint8Array>) {
    bytes += chunk.byteLength
    if (bytes > sourceFileBytesMax) throw new Error(tooLarge(path))
    yield chunk
  }
}

function tooLarge(path: string): string {
  return `${path}: the file is larger than ${sourceFileBytesMax / 1024 / 1024} MiB, the most that is read`
}
