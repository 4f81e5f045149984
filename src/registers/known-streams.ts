import { readFile } from 'node:fs/promises'
import { markets } from '@baize/names'
import {
  addRegister,
  type LinkChoice,
  readDescription,
  type Sample,
  type Stream,
  streams,
} from '@baize/registers'
import { readApart } from '@baize/registers/apart'
import { findFileLinks } from '@baize/registers/official'
import { StaffError } from '../core/staff-error.ts'
import type { World } from '../database/open.ts'
import { writeFacts } from './acquire/facts-store.ts'
import { readDescriptions, writeDescription } from './described-registers-store.ts'
import { sourceFileFrom } from './file-on-disk.ts'

const marketCodes = markets.map(market => market.code)

const builtIn = streams.map(stream => readApart(stream, { key: stream.key }))

/** Returns all streams. Their files are parsed in a process of their own. */
export async function knownStreams(world: World): Promise<Stream[]> {
  const described: Stream[] = []
  for (const { description } of await readDescriptions(world.database)) {
    const read = readDescription(description, marketCodes)
    // A description that this release no longer accepts is left out, and `register describe` reports why.
    if (read.ok) described.push(readApart(read.stream, { description }))
  }
  return [...builtIn, ...described]
}

export async function findKnownStream(world: World, key: string): Promise<Stream | undefined> {
  return (await knownStreams(world)).find(stream => stream.key === key)
}

type DescribedRegister =
  | { ok: true; stream: string; market: string; parser_version: number }
  | { ok: false; problems: { line: number; column: number; message: string }[] }

export async function describeRegister(
  world: World,
  description: string,
  { now, checkOnly }: { now: Date; checkOnly: boolean },
): Promise<DescribedRegister> {
  const read = readDescription(description, marketCodes)
  if (!read.ok) return read
  const { key, market, parserVersion } = read.stream
  if (streams.some(stream => stream.key === key)) {
    const message = `${key} is a built-in stream; a description needs another key`
    return { ok: false, problems: [{ line: 1, column: 1, message }] }
  }
  if (!checkOnly) {
    await writeDescription(world.database, { stream: key, description, described_at: now })
    await writeFacts(world.database, [read.stream])
  }
  return { ok: true, stream: key, market, parser_version: parserVersion }
}

/** Writes the files of a description into `packages/registers`, which makes the register built in. */
export async function addDescribedRegister(
  description: string,
  { samples, pages }: { samples: readonly string[]; pages: readonly string[] },
  folder?: URL,
): ReturnType<typeof addRegister> {
  const read = readDescription(description, marketCodes)
  if (!read.ok) return read
  for (const path of [...samples, ...pages]) await sourceFileFrom(path)
  return addRegister(description, { files: samples, ...(await foundByLinks(read.stream, pages)) }, folder)
}

/** Follows the links of saved pages, as a fetch would: a page for each file, and one for a link in between. */
async function foundByLinks({ official }: Stream, paths: readonly string[]): Promise<Omit<Sample, 'files'>> {
  const left = [...paths]
  const pages: NonNullable<Sample['pages']>[number][] = []
  const urls: string[] = []
  let nextUrl: string | undefined
  const follow = async (stem: 'index' | 'next', url: string, choice: LinkChoice & { all?: boolean }) => {
    const path = left.shift()
    if (path === undefined)
      throw new StaffError(`The file is found by a link: --page must be the saved page ${url}, too.`)
    pages.push({ path, stem })
    return findFileLinks({ url, html: await readFile(path, 'utf8'), language: official.language }, choice)
  }
  for (const { url, resolve } of official.files) {
    if (resolve.by !== 'newest_link') {
      urls.push(url)
      continue
    }
    const { next, ...choice } = resolve
    let found = await follow('index', url, choice)
    if (next !== undefined) {
      nextUrl = found[0] ?? url
      found = await follow('next', nextUrl, next)
    }
    urls.push(...found)
  }
  if (left.length > 0) throw new StaffError(`No file is found by a link of the page ${left[0]}: omit --page.`)
  if (pages.length === 0) return {}
  const [fileUrl] = urls
  const found = urls.length === 1 && fileUrl !== undefined ? { file_url: fileUrl } : { file_urls: urls }
  return { pages, found: { ...found, ...(nextUrl !== undefined && { next_url: nextUrl }) } }
}
