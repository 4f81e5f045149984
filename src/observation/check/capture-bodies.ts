import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { promisify } from 'node:util'
import { gunzip, gzip } from 'node:zlib'
import type { FileStore } from '@baize/files'
import type { Capture } from '@baize/site-reader'
import type { Database } from '../../database/open.ts'
import { readStoredCaptures, type StoredCapture, unreferencedBodies } from './captures-store.ts'

const folder = 'captures'
const fileName = /^captures\/([0-9a-f]{64})\.gz$/
/** Exceeds any body of a check. */
const bodyBytesMax = 16 * 1024 * 1024
/** Younger bodies stay, because a check stores its bodies before it commits the rows that name them. */
const sweptAgeMsMin = 60 * 60_000
const sweptAtOnce = 100

const nameOf = (hash: Buffer) => `${folder}/${hash.toString('hex')}.gz`

/** Stores each body once by its hash, compressed. */
export async function storeBodies(files: FileStore, captures: readonly Capture[]): Promise<StoredCapture[]> {
  const stored: StoredCapture[] = []
  for (const { body, ...capture } of captures) {
    const bodyHash = body === null ? null : createHash('sha256').update(body).digest()
    // The body is written even if it exists, so that a sweep sees it as new.
    if (bodyHash !== null && body !== null)
      await files.put(nameOf(bodyHash), Readable.from([await promisify(gzip)(body)]))
    stored.push({ ...capture, bodyHash })
  }
  return stored
}

/** Loads the captures of a check with their bodies. Returns null if a body is missing. */
export async function loadCaptures(
  database: Database,
  files: FileStore,
  checkId: number,
): Promise<(Capture & { id: number })[] | null> {
  const loaded: (Capture & { id: number })[] = []
  for (const { bodyHash, ...capture } of await readStoredCaptures(database, checkId)) {
    const body = bodyHash === null ? null : await loadBody(files, bodyHash)
    if (body === undefined) return null
    loaded.push({ ...capture, body })
  }
  return loaded
}

async function loadBody(files: FileStore, hash: Buffer): Promise<Uint8Array | undefined> {
  const file = await files.find(nameOf(hash))
  if (file === null) return undefined
  return promisify(gunzip)(await buffer(await file.open()), { maxOutputLength: bodyBytesMax })
}

/** Removes bodies that no capture names. Returns how many. */
export async function sweepBodies(database: Database, files: FileStore, now: Date): Promise<number> {
  let swept = 0
  let old: Buffer[] = []
  const sweep = async () => {
    for (const hash of await unreferencedBodies(database, old)) {
      await files.remove(nameOf(hash))
      swept += 1
    }
    old = []
  }
  for await (const { name, modifiedAt } of files.list(folder)) {
    const hash = fileName.exec(name)?.[1]
    if (hash === undefined || now.getTime() - modifiedAt.getTime() < sweptAgeMsMin) continue
    old.push(Buffer.from(hash, 'hex'))
    if (old.length === sweptAtOnce) await sweep()
  }
  if (old.length > 0) await sweep()
  return swept
}
