import type { Database } from '../../database/open.ts'
import type { FetchFileOptions } from '../../outbound/index.ts'
import { fetchPolitely } from '../fetch/fetch-politely.ts'
import type { OfficialFile, Stream } from '../stream.ts'
import { findJsonField } from './find-json-field.ts'
import { findLink } from './find-link.ts'
import { findPages } from './find-pages.ts'
import { sheetUrl } from './sheet-url.ts'
import { Unresolved } from './unresolved.ts'

/** Index pages have some 200 KB. */
const indexBytesMax = 4 * 1024 * 1024
const indexTimeoutMs = 60_000

export type Finding = Pick<FetchFileOptions, 'network' | 'signal'> & { database: Database }

/** The addresses of the current files of a stream, in order. Throws an Unresolved or an OutboundError. */
export async function findFiles({ key, official, officialUrl }: Stream, finding: Finding): Promise<string[]> {
  if (official.files.length === 0)
    throw new Unresolved(
      `the address of the file of ${key} is not known: ${officialUrl} is a page for people. ` +
        'Find the file on it, and give its address with "--url"',
    )
  const urls: string[] = []
  const pages = new Map<string, Promise<string>>()
  for (const file of official.files) urls.push(...(await findFile(file, official.language, finding, pages)))
  return urls
}

/** `pages`: an index page that several files are found on is fetched once. */
async function findFile(
  { url, resolve }: OfficialFile,
  language: string,
  finding: Finding,
  pages: Map<string, Promise<string>>,
): Promise<string[]> {
  if (resolve.by === 'direct') return [url]
  if (resolve.by === 'sheet') return [sheetUrl(url, resolve.gid)]
  const text = pages.get(url) ?? fetchText(url, finding)
  pages.set(url, text)
  switch (resolve.by) {
    case 'newest_link': {
      const found = findLink({ url, html: await text, language }, resolve)
      if (resolve.next === undefined) return [found]
      return [findLink({ url: found, html: await fetchText(found, finding), language }, resolve.next)]
    }
    case 'json_field':
      return [findJsonField({ url, text: await text, language }, resolve)]
    case 'pages':
      return findPages({ url, html: await text }, resolve.parameter)
  }
}

async function fetchText(url: string, { database, ...options }: Finding): Promise<string> {
  const outcome = await fetchPolitely(database, {
    url,
    bytesMax: indexBytesMax,
    timeoutMs: indexTimeoutMs,
    ...options,
  })
  if (outcome.status !== 'fetched') throw new Error('An unconditional request was answered "not modified".')
  await using file = outcome.file
  const bytes = Buffer.concat(await Array.fromAsync(file.open()))
  return decoderOf(bytes).decode(bytes)
}

/** By the encoding that the page names, else UTF-8; wrong bytes become replacement characters. */
function decoderOf(bytes: Buffer): TextDecoder {
  const [, label = 'utf-8'] =
    /charset\s*=\s*["']?([\w-]+)/i.exec(bytes.subarray(0, 2_048).toString('latin1')) ?? []
  try {
    return new TextDecoder(label)
  } catch {
    return new TextDecoder()
  }
}
