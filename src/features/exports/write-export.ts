import { PassThrough, Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { FileStore } from '@baize/files'
import type { World } from '../../database/open.ts'
import { readConsistently } from '../../database/read-consistently.ts'
import {
  abandonAttempt,
  beginAttempt,
  completeAttempt,
  type ExportAttempt,
  startLease,
  type WrittenFile,
} from './attempt.ts'
import { type ExportTally, exportText } from './export-text.ts'
import { countMatching } from './matching-store.ts'
import { exportRowsMax } from './schemas.ts'
import { attemptFileName, sweepFilesOfExport } from './sweep-exports.ts'

export type WriteOptions = {
  files: FileStore
  logoUrl: string
  now: () => Date
  signal: AbortSignal
}

type WrittenExport = { id: number; rows: number; credits: number; bytes: number }

/**
 * Writes an export, which is charged only if its file is published. Returns null if it is finished, or
 * `waits` if other exports have reserved the credits.
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
    // The general sweep deletes files that remain if this fails.
    if (attempt.attempt_id !== null)
      await unlessAborted(signal, sweepFilesOfExport(database, options.files, id)).catch(() => {})
    const file = await writeFile(world, attempt, { ...options, signal })
    signal.throwIfAborted()
    const credits = await completeAttempt(database, attempt, file, options.now())
    return credits === null ? null : { id, rows: file.rows, credits, bytes: file.bytes }
  } catch (error) {
    // The lease lapses if this fails. The file stays, because the commit may have succeeded without its
    // response.
    await abandonAttempt(database, attempt).catch(() => {})
    throw error
  }
}

/** Writes the file of an attempt, with all rows from one database snapshot. */
async function writeFile(
  world: World,
  attempt: ExportAttempt,
  { files, logoUrl, signal }: WriteOptions,
): Promise<WrittenFile> {
  const fileName = attemptFileName(attempt)
  const content = new PassThrough()
  // Both pipelines throw the error. Without this listener the event would end the process.
  content.on('error', () => {})
  const reading = readConsistently(world, async tx => {
    const { promise: ended, resolve: onEnd } = Promise.withResolvers<ExportTally>()
    const text = exportText(tx, attempt, { now: attempt.startedAt, logoUrl, onEnd })
    await pipeline(Readable.from(text, { highWaterMark: 1 }), content, { signal })
    const tally = await ended
    const expectedRows =
      tally.truncatedBy === 'credits'
        ? await countMatching(tx, attempt.filters, attempt.max_rows ?? exportRowsMax)
        : tally.rows
    return { ...tally, expectedRows }
  })
  const putting = files.put(fileName, content).catch(error => {
    content.destroy(error)
    throw error
  })
  const [read, put] = await unlessAborted(signal, Promise.allSettled([reading, putting]))
  if (put.status === 'rejected') throw put.reason
  if (read.status === 'rejected') throw read.reason
  const { rows, profiles, truncatedBy, sha256, expectedRows } = read.value
  return { fileName, bytes: put.value.bytes, sha256, rows, profiles, expectedRows, truncatedBy }
}

/** Stops waiting for a hanging store when aborted. The sweep deletes what it may still write. */
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
