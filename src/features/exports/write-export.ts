import { PassThrough, Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { FileStore } from '../../core/file-store.ts'
import type { World } from '../../database/open.ts'
import { readConsistently } from '../../database/read-consistently.ts'
import {
  type Attempt,
  abandonAttempt,
  beginAttempt,
  completeAttempt,
  startLease,
  type WrittenFile,
} from './attempt.ts'
import { exportText, type Tally } from './export-text.ts'
import { attemptFileName } from './file-names.ts'
import { countMatching } from './matching-store.ts'
import { exportRowsMax } from './schemas.ts'
import { sweepFilesOfExport } from './sweep-exports.ts'

export type WriteOptions = {
  files: FileStore
  logoUrl: string
  now: () => Date
  /** Breaks the attempt off; its credits go back, and the next one begins anew. */
  signal: AbortSignal
}

export type WrittenExport = { id: number; rows: number; credits: number; bytes: number }

/**
 * Writes a queued export: reserves what is available up to its quote, writes a file under the attempt's own name, and
 * then charges for its rows and makes it visible in one commit. Wherever that ends early, nothing is charged and nothing
 * is seen; the next attempt begins anew, and takes what this one left. null: there was nothing to do. `waits`: others of the
 * account hold the credits.
 */
export async function writeExport(
  world: World,
  id: number,
  options: WriteOptions,
): Promise<WrittenExport | 'waits' | null> {
  const { database } = world
  const attempt = await beginAttempt(database, id, options.now())
  if (attempt === null || attempt === 'waits') return attempt
  try {
    using lease = startLease(database, attempt, options.now)
    const signal = AbortSignal.any([options.signal, lease.lost])
    // What a store that is just away keeps is taken by the sweep of all files.
    if (attempt.attempt_id !== null)
      await unlessAborted(signal, sweepFilesOfExport(database, options.files, id)).catch(() => {})
    const file = await writeFile(world, attempt, { ...options, signal })
    signal.throwIfAborted()
    const credits = await completeAttempt(database, attempt, file, options.now())
    return credits === null ? null : { id, rows: file.rows, credits, bytes: file.bytes }
  } catch (error) {
    // The lease lapses by itself where this fails too. The file stays: if it was the answer to the commit that got lost,
    // it is that of a completed export.
    await abandonAttempt(database, attempt).catch(() => {})
    throw error
  }
}

/**
 * Everything is read of one moment. The transaction of that moment ends with the last row, however long the store then
 * takes to keep the file.
 */
async function writeFile(
  world: World,
  attempt: Attempt,
  { files, logoUrl, signal }: WriteOptions,
): Promise<WrittenFile> {
  const fileName = attemptFileName(attempt)
  const content = new PassThrough()
  // Whoever fills or empties it fails by itself; heard by nobody, the event would end the process.
  content.on('error', () => {})
  const reading = readConsistently(world, async tx => {
    const { promise: ended, resolve: onEnd } = Promise.withResolvers<Tally>()
    const text = exportText(tx, attempt, { now: attempt.startedAt, logoUrl, onEnd })
    await pipeline(Readable.from(text, { highWaterMark: 1 }), content, { signal })
    const tally = await ended
    const expectedRows =
      tally.truncatedBy === 'credits' ? await countMatching(tx, attempt.filters, exportRowsMax) : tally.rows
    return { ...tally, expectedRows }
  })
  const putting = files.put(fileName, content).catch(error => {
    content.destroy(error)
    throw error
  })
  const [read, put] = await unlessAborted(signal, Promise.allSettled([reading, putting]))
  // What ends one ends the other; the store knows best why.
  if (put.status === 'rejected') throw put.reason
  if (read.status === 'rejected') throw read.reason
  const { rows, profiles, truncatedBy, sha256, expectedRows } = read.value
  return { fileName, bytes: put.value.bytes, sha256, rows, profiles, expectedRows, truncatedBy }
}

/** A store that hangs is not waited for once the attempt is broken off: what it may still keep is the sweep's. */
async function unlessAborted<Result>(signal: AbortSignal, work: Promise<Result>): Promise<Result> {
  const { promise: aborted, reject } = Promise.withResolvers<never>()
  const onAbort = () => reject(signal.reason)
  signal.addEventListener('abort', onAbort, { once: true })
  if (signal.aborted) onAbort()
  try {
    return await Promise.race([work, aborted])
  } finally {
    signal.removeEventListener('abort', onAbort)
  }
}
