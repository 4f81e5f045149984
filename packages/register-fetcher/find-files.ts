import { type FetchFileOptions, fetchPolitely, type Turns } from '@baize/outbound'
import type { OfficialFile, Stream } from '@baize/registers'
import { findApart } from '@baize/registers/apart'
import { extraCaAt, sheetUrl, Unresolved } from '@baize/registers/official'

/** The limit exceeds index pages, which have some 200 KB. */
const indexBytesMax = 4 * 1024 * 1024
const indexTimeoutMs = 60_000

export type FoundFiles = Pick<FetchFileOptions, 'network' | 'signal'> & { turns: Turns }

/**
 * Returns the addresses of the current files of a stream, in order. Throws an Unresolved or an
 * OutboundError.
 */
export async function findFiles(
  { key, official, officialUrl }: Stream,
  finding: FoundFiles,
): Promise<string[]> {
  if (official.files.length === 0)
    throw new Unresolved(
      `the address of the file of ${key} is not known: ${officialUrl} is a page for people. ` +
        'Find the file on it, and give its address with "--url"',
    )
  const urls: string[] = []
  const pages = new IndexPages(official.files, finding)
  for (const file of official.files)
    urls.push(...(await findFile(file, { stream: key, language: official.language }, pages)))
  return urls
}

async function findFile(
  { url, resolve }: OfficialFile,
  of: { stream: string; language: string },
  pages: IndexPages,
): Promise<string[]> {
  if (resolve.by === 'direct' || resolve.by === 'rendered') return [url]
  if (resolve.by === 'sheet') return [sheetUrl(url, resolve.gid)]
  const text = await pages.textAt(url)
  if (resolve.by !== 'newest_link' || resolve.next === undefined)
    return findApart({ ...of, url, text, resolve })
  const { next, all = false, workbook = false, ...first } = resolve
  const [page = ''] = await findApart({ ...of, url, text, resolve: first })
  const files = { by: resolve.by, ...next, all, workbook }
  return findApart({ ...of, url: page, text: await pages.textAt(page), resolve: files })
}

/** Fetches a page that leads to several files once. */
class IndexPages {
  readonly #files: readonly OfficialFile[]
  readonly #finding: FoundFiles
  readonly #texts = new Map<string, Promise<string>>()

  constructor(files: readonly OfficialFile[], finding: FoundFiles) {
    this.#files = files
    this.#finding = finding
  }

  textAt(url: string): Promise<string> {
    const text = this.#texts.get(url) ?? this.#read(url)
    this.#texts.set(url, text)
    return text
  }

  async #read(url: string): Promise<string> {
    const { turns, ...options } = this.#finding
    const outcome = await fetchPolitely(turns, {
      url,
      extraCa: extraCaAt(url, this.#files),
      bytesMax: indexBytesMax,
      timeoutMs: indexTimeoutMs,
      ...options,
    })
    if (outcome.status !== 'fetched') throw new Error('An unconditional request was answered "not modified".')
    await using file = outcome.file
    const bytes = Buffer.concat(await Array.fromAsync(file.open()))
    return decoderOf(bytes).decode(bytes)
  }
}

/** Decodes by the encoding that the page names, else as UTF-8. Wrong bytes become replacement characters. */
function decoderOf(bytes: Buffer): TextDecoder {
  const [, label = 'utf-8'] =
    /charset\s*=\s*["']?([\w-]+)/i.exec(bytes.subarray(0, 2_048).toString('latin1')) ?? []
  try {
    return new TextDecoder(label)
  } catch {
    return new TextDecoder()
  }
}
