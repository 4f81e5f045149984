import type { SourceFile } from '@baize/tables'

/** Returns whether `whole` begins with all bytes of `part` and has more. */
export async function isProperPrefix(part: SourceFile, whole: AsyncIterable<Uint8Array>): Promise<boolean> {
  const reader = new ByteReader(whole)
  try {
    for await (const piece of part.open()) if (!(await reader.startsWith(piece))) return false
    return !(await reader.isAtEnd())
  } finally {
    await reader.close()
  }
}

/** Returns whether the second half of a file repeats the first, as `cat list.csv list.csv` writes it. */
export async function isDoubled(file: SourceFile, bytes: number): Promise<boolean> {
  if (bytes === 0 || bytes % 2 === 1) return false
  const reader = new ByteReader(file.open())
  try {
    await reader.skip(bytes / 2)
    let rest = bytes / 2
    for await (const piece of file.open()) {
      const expected = piece.subarray(0, rest)
      if (!(await reader.startsWith(expected))) return false
      rest -= expected.length
      if (rest === 0) break
    }
    return true
  } finally {
    await reader.close()
  }
}

/** Compares a file with others piece by piece, so that no file is in memory whole. */
class ByteReader {
  readonly #source: AsyncIterator<Uint8Array>
  #piece: Uint8Array = new Uint8Array()

  constructor(source: AsyncIterable<Uint8Array>) {
    this.#source = source[Symbol.asyncIterator]()
  }

  /** Reads past `expected` if the next bytes equal it. */
  async startsWith(expected: Uint8Array): Promise<boolean> {
    let rest = expected
    while (rest.length > 0) {
      if (!(await this.#fill())) return false
      const length = Math.min(rest.length, this.#piece.length)
      if (Buffer.compare(rest.subarray(0, length), this.#piece.subarray(0, length)) !== 0) return false
      rest = rest.subarray(length)
      this.#piece = this.#piece.subarray(length)
    }
    return true
  }

  async skip(bytes: number): Promise<void> {
    let rest = bytes
    while (rest > 0 && (await this.#fill())) {
      const length = Math.min(rest, this.#piece.length)
      rest -= length
      this.#piece = this.#piece.subarray(length)
    }
  }

  async isAtEnd(): Promise<boolean> {
    return !(await this.#fill())
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
