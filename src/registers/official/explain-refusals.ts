import { Refusal, type SourceFile, type Stream } from '../stream.ts'
import { obstacleOf, readPage } from './page-kind.ts'

/** A page that stands in place of a file is recognised by its beginning. */
const openingBytesMax = 256 * 1024

/** Reads like the stream; a refusal also says what a page is that came in place of the file. */
export function explainRefusals(stream: Stream): Stream {
  return {
    ...stream,
    async *read(files) {
      try {
        yield* stream.read(files)
      } catch (error) {
        const obstacle = error instanceof Refusal ? await obstacleIn(files, stream) : null
        if (obstacle === null) throw error
        throw new Refusal(`${(error as Refusal).message}; it is ${obstacle}`, { cause: error })
      }
    },
  }
}

async function obstacleIn(files: readonly SourceFile[], { key, format }: Stream): Promise<string | null> {
  for (const file of files) {
    const opening = await openingOf(file)
    if (!/^\s*</.test(opening) || !/<html|<!doctype html|<head|<body/i.test(opening)) continue
    try {
      const page = readPage(opening)
      const obstacle = obstacleOf(page)
      if (obstacle !== null) return obstacle
      if (!/\bhtml\b/i.test(format))
        return (
          `a web page ("${page.title}"), and the format of ${key} is ${format}. Find the link to the file ` +
          `on it, and give the address of the file with "register watch ${key} --url"`
        )
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
    }
  }
  return null
}

async function openingOf(file: SourceFile): Promise<string> {
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of file.open()) {
    chunks.push(chunk)
    bytes += chunk.byteLength
    if (bytes >= openingBytesMax) break
  }
  return new TextDecoder().decode(Buffer.concat(chunks).subarray(0, openingBytesMax))
}
