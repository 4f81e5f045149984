import { isUtf8 } from 'node:buffer'
import { createReadStream } from 'node:fs'
import { pipeline } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { StaffError } from '../../core/staff-error.ts'

/** A line, or the reason why it cannot be read. Numbers count all lines from 1. */
export type Line = { number: number; text: string } | { number: number; problem: string }

export const lineBytesMax = 1024 * 1024
const chunkBytes = 64 * 1024
const lineEnd = 0x0a
const byteOrderMark = '\ufeff'

/**
 * Reads an NDJSON file without blank lines, and gunzips it if its name ends in `.gz`. It needs memory for
 * one chunk and one line. Throws a StaffError on a truncated or corrupt gzip file, because its missing
 * lines are unknown.
 */
export async function* readRecordLines(file: string, onBytes: (bytes: number) => void): AsyncGenerator<Line> {
  const source = createReadStream(file, { highWaterMark: chunkBytes })
  const counted = countBytes(source, onBytes)
  try {
    // The pipeline forwards errors to its last stream, which throws them. Node requires the callback.
    yield* splitLines(file.endsWith('.gz') ? pipeline(counted, createGunzip(), () => {}) : counted)
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    if (!code?.startsWith('Z_')) throw error
    throw new StaffError(`${file}: not a valid gzip file (${message}). Nothing was loaded.`, {
      cause: error,
    })
  } finally {
    source.destroy()
  }
}

async function* countBytes(
  chunks: AsyncIterable<Uint8Array>,
  onBytes: (bytes: number) => void,
): AsyncGenerator<Uint8Array> {
  for await (const chunk of chunks) {
    onBytes(chunk.length)
    yield chunk
  }
}

export async function* splitLines(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Line> {
  let number = 0
  let pieces: Uint8Array[] = []
  let lineBytes = 0
  let overlong = false

  function add(piece: Uint8Array): void {
    lineBytes += piece.length
    if (lineBytes > lineBytesMax) {
      overlong = true
      pieces = []
    } else if (piece.length > 0) pieces.push(piece)
  }

  function finish(): Line | null {
    number += 1
    const line = overlong
      ? { number, problem: `longer than ${lineBytesMax} bytes` }
      : readText(number, pieces.length === 1 ? (pieces[0] as Uint8Array) : Buffer.concat(pieces))
    pieces = []
    lineBytes = 0
    overlong = false
    return line
  }

  for await (const chunk of chunks) {
    let start = 0
    for (let end = chunk.indexOf(lineEnd); end >= 0; end = chunk.indexOf(lineEnd, start)) {
      add(chunk.subarray(start, end))
      start = end + 1
      const line = finish()
      if (line !== null) yield line
    }
    add(chunk.subarray(start))
  }
  if (lineBytes > 0) {
    const line = finish()
    if (line !== null) yield line
  }
}

function readText(number: number, bytes: Uint8Array): Line | null {
  if (!isUtf8(bytes)) return { number, problem: 'not UTF-8' }
  let text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8')
  if (number === 1 && text.startsWith(byteOrderMark)) text = text.slice(1)
  return text.trim() === '' ? null : { number, text }
}
