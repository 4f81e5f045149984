import { constants, createReadStream } from 'node:fs'
import { access, stat } from 'node:fs/promises'
import { basename } from 'node:path'
import { StaffError } from '../../core/staff-error.ts'
import type { SourceFile } from '../stream.ts'

/** Four times the largest register known (1,000,000 hosts are 25 MB); what is larger is not a register. */
export const sourceFileBytesMax = 256 * 1024 * 1024

/**
 * A file on disk as a source. Fails with a StaffError where it stands: a missing file is the caller's mistake, while an empty
 * one may be what the register gave, and is refused as a snapshot.
 */
export async function sourceFileFrom(path: string): Promise<SourceFile> {
  const facts = await stat(path).catch(unreadable(path))
  if (!facts.isFile()) throw new StaffError(`${path}: that is not a file`)
  await access(path, constants.R_OK).catch(unreadable(path))
  if (facts.size > sourceFileBytesMax) throw new StaffError(tooLarge(path))
  return { name: basename(path), open: () => bytesOf(path) }
}

/** Counts again while reading, since a file can grow after it was measured. */
async function* bytesOf(path: string): AsyncGenerator<Uint8Array> {
  let bytes = 0
  for await (const chunk of createReadStream(path) as AsyncIterable<Uint8Array>) {
    bytes += chunk.byteLength
    if (bytes > sourceFileBytesMax) throw new StaffError(tooLarge(path))
    yield chunk
  }
}

function unreadable(path: string): (error: NodeJS.ErrnoException) => never {
  return error => {
    const told = error.code === 'ENOENT' ? 'there is no such file' : error.message
    throw new StaffError(`${path}: ${told}`, { cause: error })
  }
}

function tooLarge(path: string): string {
  return `${path}: the file is larger than ${sourceFileBytesMax / 1024 / 1024} MiB, the most that is read`
}
