import { constants, createReadStream } from 'node:fs'
import { access, stat } from 'node:fs/promises'
import { basename, resolve } from 'node:path'
import { sourceFileBytesMax } from '@baize/register-fetcher'
import type { SourceFile } from '@baize/tables'
import { demoDirectory } from '../core/demo-directory.ts'
import { StaffError } from '../core/staff-error.ts'

/** `isDemo` marks files from `demo/`, whose registers are smaller than real ones. */
export type RegisterFile = SourceFile & { isDemo?: boolean }

/** Throws a StaffError for a missing file. An empty one is refused later, as a snapshot. */
export async function sourceFileFrom(path: string): Promise<RegisterFile> {
  const stats = await stat(path).catch(unreadable(path))
  if (!stats.isFile()) throw new StaffError(`${path} is not a file.`)
  await access(path, constants.R_OK).catch(unreadable(path))
  if (stats.size > sourceFileBytesMax) throw new StaffError(tooLarge(path))
  const isDemo = resolve(path).startsWith(demoDirectory)
  return { name: basename(path), open: () => bytesOf(path), isDemo }
}

/** Checks the size again, because the file may grow meanwhile. */
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
    const problem = error.code === 'ENOENT' ? 'no such file' : error.message
    throw new StaffError(`${path}: ${problem}`, { cause: error })
  }
}

function tooLarge(path: string): string {
  return `${path}: the file is larger than the limit of ${sourceFileBytesMax / 1024 / 1024} MiB`
}
