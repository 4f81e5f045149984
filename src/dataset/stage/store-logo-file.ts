import { createHash } from 'node:crypto'
import { readFile, realpath, stat } from 'node:fs/promises'
import { dirname, isAbsolute, join, sep } from 'node:path'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import type { FileStore } from '../../core/file-store.ts'
import { shown } from '../../core/shown-value.ts'
import {
  BadImage,
  imageBytesMax,
  logoFileName,
  readImage,
  readLogoFileName,
  storedName,
} from '../../features/logos/index.ts'

/** What an image is, as it is staged. */
export type LogoFacts = { file_name: string; format: string; width: number | null; height: number | null }
export type TakenLogo = { ok: true; facts: LogoFacts } | { ok: false; reason: string }

/**
 * Takes the image that a line names into the file store, and tells what it is by its bytes alone. What is stored and then
 * named by no row, because the import was refused, is a file that nobody asks for, and that a sweep takes.
 */
export async function takeLogoFile(
  interchangeFile: string,
  path: string,
  files: FileStore | undefined,
): Promise<TakenLogo> {
  if (files === undefined) return refuse('file: this import has no place to keep files')
  try {
    const bytes = (await readBeside(interchangeFile, path)) ?? (await readStored(files, path))
    if (bytes === null) return refuse(`file: there is no ${shown(path)} below the folder of this file`)
    const { bytes: kept, format, width, height } = await readImage(bytes)
    const file_name = logoFileName(kept, format)
    await files.put(storedName(file_name), Readable.from([kept]))
    return { ok: true, facts: { file_name, format, width, height } }
  } catch (error) {
    if (error instanceof BadImage) return refuse(`file: ${shown(path)} ${error.message}`)
    throw error
  }
}

function refuse(reason: string): TakenLogo {
  return { ok: false, reason }
}

/** A file below the folder of the interchange file, wherever links lead; null: there is none. */
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

/** Looked at before it is opened: a pipe would wait for whoever writes into it. */
async function readWhole(place: string): Promise<Uint8Array> {
  const facts = await stat(place)
  if (!facts.isFile()) throw new BadImage('is not a file')
  if (facts.size > imageBytesMax) throw new BadImage(`has more than ${imageBytesMax} bytes`)
  return readFile(place).catch((error: NodeJS.ErrnoException) => {
    throw new BadImage(`cannot be read: ${error.code}`)
  })
}

/** A stored logo, as dumps name them: it is still what its name says, or it is not taken. */
async function readStored(files: FileStore, path: string): Promise<Uint8Array | null> {
  const named = readLogoFileName(path)
  const stored = named === null ? null : await files.find(storedName(path))
  if (named === null || stored === null) return null
  if (stored.bytes > imageBytesMax) throw new BadImage(`has more than ${imageBytesMax} bytes`)
  const bytes = await buffer(await stored.open())
  const sha256 = createHash('sha256').update(bytes).digest('hex')
  if (sha256 !== named.sha256) throw new BadImage('is stored, and is not what its name says')
  return bytes
}

function unlessMissing(error: NodeJS.ErrnoException): null {
  if (['ENOENT', 'ENOTDIR', 'ELOOP', 'ENAMETOOLONG', 'EACCES'].includes(error.code ?? '')) return null
  throw error
}
