import { counted } from '@baize/names'
import type { Stream } from '@baize/registers'
import { helpSites, readPublishedEntry } from '@baize/registers/entries'
import { StaffError } from '../../core/staff-error.ts'
import type { World } from '../../database/open.ts'
import { type LoadedList, loadPastList } from '../../features/timelines/index.ts'
import { type RegisterFile, sourceFileFrom } from '../file-on-disk.ts'
import { datedFilesIn } from './dated-files.ts'

/** A list of hosts of the largest register has 50 KB. */
const listBytesMax = 16 * 1024 * 1024
const rejectsShownMax = 5

export type EvidenceReport = {
  stream: string
  lists: {
    listed_on: string
    file: string
    status: LoadedList | 'refused'
    sites: number
    rejected: number
    /** The first rejected lines, or why the list was refused. */
    reasons: string[]
  }[]
}

type SiteList = { bytes: Uint8Array; sites: Map<string, string>; rejects: string[] }

/**
 * Reads a folder of dated lists, one site a line, as evidence of which sites the register named on those
 * days. It licenses nothing: use `backfillRegister` for files of the register itself.
 */
export async function backfillEvidence(
  world: World,
  { key: stream, market, covers, rowsMin, rowsMax }: Stream,
  directory: string,
  now: Date,
): Promise<EvidenceReport> {
  if (!covers.includes('register')) throw new StaffError(`${stream} is no register of licensed sites.`)
  const report: EvidenceReport = { stream, lists: [] }
  for (const { takenAt, paths } of await datedFilesIn(directory)) {
    const listedOn = takenAt.toISOString().slice(0, 10)
    const [path, ...others] = paths as [string, ...string[]]
    const file = await sourceFileFrom(path)
    const { bytes, sites, rejects } = await readList(file)
    const refusal = refusalOf({ others, sites, rejects, rowsMin, rowsMax, isLater: takenAt > now })
    const list = { stream, market, listedOn, fileName: file.name, sites, rejected: rejects.length, bytes }
    report.lists.push({
      listed_on: listedOn,
      file: file.name,
      status: refusal === null ? await loadPastList(world, list, now) : 'refused',
      sites: sites.size,
      rejected: rejects.length,
      reasons: refusal === null ? rejects.slice(0, rejectsShownMax) : [refusal],
    })
  }
  return report
}

async function readList(file: RegisterFile): Promise<SiteList> {
  const pieces: Uint8Array[] = []
  let size = 0
  for await (const piece of file.open()) {
    size += piece.byteLength
    if (size > listBytesMax)
      throw new StaffError(`${file.name} is larger than the limit of ${listBytesMax / 1024 / 1024} MiB.`)
    pieces.push(piece)
  }
  const bytes = Buffer.concat(pieces)
  const sites = new Map<string, string>()
  const rejects: string[] = []
  for (const line of bytes
    .toString('utf8')
    .replace(/^\uFEFF/, '')
    .split(/\r\n|\r|\n/)) {
    const text = line.trim()
    if (text === '' || isHeading(text)) continue
    const entry = readPublishedEntry(text)
    if (!entry.ok || entry.domain === null || helpSites.has(entry.domain)) rejects.push(text)
    else if (!sites.has(entry.domain)) sites.set(entry.domain, entry.published)
  }
  return { bytes, sites, rejects }
}

/** Matches comments and the time of a list, such as `20260418 08:14`. */
const isHeading = (text: string) => /^(?:#|\d{4}-?\d{2}-?\d{2}(?:[ T]\d{2}:\d{2}(?::\d{2})?Z?)?$)/.test(text)

type Judged = Pick<SiteList, 'sites' | 'rejects'> &
  Pick<Stream, 'rowsMin' | 'rowsMax'> & {
    others: readonly string[]
    isLater: boolean
  }

function refusalOf({ others, sites, rejects, rowsMin, rowsMax, isLater }: Judged): string | null {
  if (others.length > 0) return 'several files have this date; a list is one file'
  if (isLater) return 'the date is later than now'
  if (rejects.length > sites.size)
    return `${counted(rejects.length, 'line')} of ${rejects.length + sites.size} are no site: is it a list?`
  if (sites.size < rowsMin) return `${counted(sites.size, 'site')}; the register has at least ${rowsMin} rows`
  if (rowsMax !== null && sites.size > rowsMax)
    return `${counted(sites.size, 'site')}; the register has at most ${rowsMax} rows`
  return null
}
