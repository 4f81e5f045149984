import { Refusal, type SourceFile, type Stream } from '../stream.ts'
import { obstacleOf, readPage } from './page-kind.ts'

/** A page that stands in place of a file is recognised by its beginning. */
const openingBytesMax = 256 * 1024

/** Reads like the stream; a refusal also says what a page is that came, and what to do. */
export function explainRefusals(stream: Stream): Stream {
  return {
    ...stream,
    async *read(files) {
      try {
        yield* stream.read(files)
      } catch (error) {
        const page = error instanceof Refusal ? await pageIn(files, stream, error.message) : null
        if (page === null) throw error
        throw new Refusal(`${(error as Refusal).message}; it is ${page}`, { cause: error })
      }
    },
  }
}

/** A login or a check of the visitor in any file counts; else the page that the refusal names. */
async function pageIn(files: readonly SourceFile[], stream: Stream, refusal: string): Promise<string | null> {
  let named: string | null = null
  for (const file of files) {
    const opening = await openingOf(file)
    if (!/^\s*</.test(opening) || !/<html|<!doctype html|<head|<body/i.test(opening)) continue
    try {
      const page = readPage(opening)
      const obstacle = obstacleOf(page)
      if (obstacle !== null) return obstacle
      if (files.length === 1 || refusal.includes(`"${file.name}"`)) named ??= describePage(page.title, stream)
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
    }
  }
  return named
}

function describePage(title: string, { key, format, officialUrl }: Stream): string {
  if (/\bhtml\b/i.test(format))
    return (
      `the page "${title}". Open ${officialUrl} in a browser: if the register has moved, give its address ` +
      `with "register watch ${key} --url"; else load the page with "register sync ${key}", or report that ` +
      'its layout has changed'
    )
  return (
    `a web page ("${title}"), and the format of ${key} is ${format}. Find the link to the file on it, and ` +
    `give the address of the file with "register watch ${key} --url"`
  )
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
