import type { SourceFile } from '@baize/tables'
import { ByteReader } from './byte-reader.ts'

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
