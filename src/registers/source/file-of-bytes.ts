import type { SourceFile } from '../stream.ts'

export function fileOfBytes(name: string, content: Uint8Array | string, pieceBytes = 65_536): SourceFile {
  const bytes = typeof content === 'string' ? new TextEncoder().encode(content) : content
  return {
    name,
    async *open() {
      for (let start = 0; start < bytes.length; start += pieceBytes)
        yield bytes.subarray(start, start + pieceBytes)
    },
  }
}
