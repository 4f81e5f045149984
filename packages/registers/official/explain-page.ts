import { Refusal, type SourceFile } from '@baize/tables'
import type { Stream } from '../stream.ts'
import { obstacleOf, readOfficialPage } from './page-kind.ts'

/** Limits the bytes by which a page in place of a file is recognised. */
const openingBytesMax = 256 * 1024

export type ExplainTask = Pick<Stream, 'key' | 'format' | 'officialUrl'> & { refusal: string }

/** Looks for a login or a check of the visitor in any file, else for the page that the refusal names. */
export async function explainPage(task: ExplainTask, files: readonly SourceFile[]): Promise<string | null> {
  let named: string | null = null
  for (const file of files) {
    const opening = await openingOf(file)
    if (!/^\s*</.test(opening) || !/<html|<!doctype html|<head|<body/i.test(opening)) continue
    try {
      const page = readOfficialPage(opening)
      const obstacle = obstacleOf(page)
      if (obstacle !== null) return obstacle
      if (files.length === 1 || task.refusal.includes(`"${file.name}"`))
        named ??= describePage(page.title, task)
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
    }
  }
  return named
}

function describePage(title: string, { key, format, officialUrl }: ExplainTask): string {
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
