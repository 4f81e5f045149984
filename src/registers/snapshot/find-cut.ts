import type { Database } from '../../database/open.ts'
import { openStoredFile } from '../../journal/index.ts'
import type { SourceFile } from '../stream.ts'
import type { RawFile } from './raw-file.ts'

export type Cut = { file: string; where: 'inside_record' | 'after_record' }

const lineBreak = 0x0a
const carriageReturn = 0x0d

/**
 * Finds a file that is a prefix of one of the last snapshot. Cut between lines, it may also be a register
 * that withdrew its last rows.
 */
export async function findCut(
  database: Database,
  files: readonly (RawFile & { source: SourceFile })[],
  last: readonly RawFile[],
): Promise<Cut | null> {
  for (const file of files) {
    if (file.bytes === 0 || last.some(each => each.sha256 === file.sha256)) continue
    for (const whole of last) {
      if (file.bytes >= whole.bytes) continue
      const next = await byteAfterPrefix(
        file.source,
        openStoredFile(database, Buffer.from(whole.sha256, 'hex')),
      )
      if (next === null) continue
      const endsRecord = file.ends_line || next === lineBreak || next === carriageReturn
      return { file: file.name, where: endsRecord ? 'after_record' : 'inside_record' }
    }
  }
  return null
}

/** The byte of `whole` that follows `part`; null unless `part` is a proper prefix of it. */
async function byteAfterPrefix(part: SourceFile, whole: AsyncIterable<Uint8Array>): Promise<number | null> {
  const bytes = new ByteReader(whole)
  try {
    for await (const piece of part.open()) {
      if (!(await bytes.startsWith(piece))) return null
    }
    return await bytes.next()
  } finally {
    await bytes.close()
  }
}

class ByteReader {
  readonly #source: AsyncIterator<Uint8Array>
  #piece: Uint8Array = new Uint8Array()

  constructor(source: AsyncIterable<Uint8Array>) {
    this.#source = source[Symbol.asyncIterator]()
  }

  async startsWith(expected: Uint8Array): Promise<boolean> {
    let rest = expected
    while (rest.length > 0) {
      if (this.#piece.length === 0 && !(await this.#fill())) return false
      const length = Math.min(rest.length, this.#piece.length)
      if (Buffer.compare(rest.subarray(0, length), this.#piece.subarray(0, length)) !== 0) return false
      rest = rest.subarray(length)
      this.#piece = this.#piece.subarray(length)
    }
    return true
  }

  async next(): Promise<number | null> {
    if (this.#piece.length === 0 && !(await this.#fill())) return null
    return this.#piece[0] ?? null
  }

  async close(): Promise<void> {
    await this.#source.return?.()
  }

  async #fill(): Promise<boolean> {
    while (this.#piece.length === 0) {
      const { value, done } = await this.#source.next()
      if (done) return false
      this.#piece = value
    }
    return true
  }
}
