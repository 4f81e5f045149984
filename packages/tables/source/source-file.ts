import { createReadStream } from 'node:fs'
import { basename } from 'node:path'
import { storableText } from '@baize/names'

/** A file that is read in chunks, so that a large file is never in memory whole. */
export type SourceFile = { name: string; open(): AsyncIterable<Uint8Array> }

/** Refuses a file as a whole. The message names what was expected and what was found. */
export class Refusal extends Error {
  override readonly name = 'Refusal'

  constructor(message: string, options?: ErrorOptions) {
    super(storableText(message), options)
  }
}

export const fileAt = (path: string): SourceFile => ({
  name: basename(path),
  open: () => createReadStream(path) as AsyncIterable<Uint8Array>,
})

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

export function onlyFile(files: readonly SourceFile[]): SourceFile {
  const [file] = files
  if (file === undefined || files.length > 1) throw new Refusal(`expected one file, found ${files.length}`)
  return file
}

/** Returns the first characters after white space: `<`, `{`, `%PDF` and `PK` distinguish formats. */
export async function openingOf(file: SourceFile, characters: number): Promise<string> {
  const decoder = new TextDecoder('utf-8')
  let opening = ''
  for await (const chunk of file.open()) {
    opening = (opening + decoder.decode(chunk, { stream: true })).trimStart()
    if (opening.length >= characters) break
  }
  return opening.slice(0, characters)
}

export const firstCharacter = (file: SourceFile) => openingOf(file, 1)
