import { createHash } from 'node:crypto'
import { readFile, realpath, stat } from 'node:fs/promises'
import { dirname, isAbsolute, join, sep } from 'node:path'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import type { FileStore } from '@baize/files'
import { BadImage, imageBytesMax, imageFileName, readImage, readImageFileName } from '@baize/images'
import { shown } from '@baize/names'
import { storedName } from '../../features/logos/index.ts'

type LogoFacts = { file_name: string; format: string; width: number | null; height: number | null }
export type StoredLogo = { ok: true; facts: LogoFacts } | { ok: false; reason: string }

/** Stores the image of a line. If the import is rejected, a sweep deletes the file, which no row names. */
export async function storeLogoFile(
  interchangeFile: string,
  path: string,
  files: FileStore | undefined,
): Promise<StoredLogo> {
  if (files === undefined) return reject('file: this import has no file store')
  try {
    const bytes = (await readBeside(interchangeFile, path)) ?? (await readStored(files, path))
    if (bytes === null) return reject(`file: ${shown(path)} does not exist below the folder of this file`)
    const { bytes: cleaned, format, width, height } = await readImage(bytes)
    const file_name = imageFileName(cleaned, format)
    await files.put(storedName(file_name), Readable.from([cleaned]))
    return { ok: true, facts: { file_name, format, width, height } }
  } catch (error) {
    if (error instanceof BadImage) return reject(`file: ${shown(path)} ${error.message}`)
    throw error
  }
}

function reject(reason: string): StoredLogo {
  return { ok: false, reason }
}

/** Returns the file below the interchange file's folder, links resolved, or null if it is missing. */
async function readBeside(interchangeFile: string, path: string): Promise<Uint8Array | null> {
  if (isAbsolute(path) || path.includes('\0') || path.split(/[/\\]/).includes('..'))
    throw new BadImage('is not below the folder of this file')
  const folder = await realpath(dirname(interchangeFile)).catch(unlessMissing)
  const place = folder === null ? null : await realpath(join(folder, path)).catch(unlessMissing)
  if (folder === null || place === null) return null
  if (!place.startsWith(folder.endsWith(sep) ? folder : `${folder}${sep}`))
    throw new BadImage('is not below the folder of this file')
  return readWhole(place)
}

/** Checks the type first, because opening a pipe would block until something writes to it. */
async function readWhole(place: string): Promise<Uint8Array> {
  const facts = await stat(place)
  if (!facts.isFile()) throw new BadImage('is not a file')
  if (facts.size > imageBytesMax) throw new BadImage(`has more than ${imageBytesMax} bytes`)
  return readFile(place).catch((error: NodeJS.ErrnoException) => {
    throw new BadImage(`cannot be read: ${error.code}`)
  })
}

/** Reads a logo by its stored name, as in dumps. Its bytes must match the digest in the name. */
async function readStored(files: FileStore, path: string): Promise<Uint8Array | null> {
  const named = readImageFileName(path)
  const stored = named === null ? null : await files.find(storedName(path))
  if (named === null || stored === null) return null
  if (stored.bytes > imageBytesMax) throw new BadImage(`has more than ${imageBytesMax} bytes`)
  const bytes = await buffer(await stored.open())
  const sha256 = createHash('sha256').update(bytes).digest('hex')
  if (sha256 !== named.sha256) throw new BadImage('is stored, but does not match the digest in its name')
  return bytes
}

function unlessMissing(error: NodeJS.ErrnoException): null {
  if (['ENOENT', 'ENOTDIR', 'ELOOP', 'ENAMETOOLONG', 'EACCES'].includes(error.code ?? '')) return null
  throw error
}
