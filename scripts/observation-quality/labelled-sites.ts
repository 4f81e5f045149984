import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import type { Capture, DnsAnswers } from '@baize/site-reader'
import { load } from 'js-yaml'

/** Authors of rules may read the mistakes of these sets. */
export const tuningSets = ['tuning', 'tuning-misses'] as const
/** These sets measure the rules, so nobody may see their mistakes. */
export const frozenSets = ['blind', 'frozen-misses', 'frozen-scripted'] as const
export type FrozenSet = (typeof frozenSets)[number]
/** Scripts fill these sites, so they are visited in Chromium. */
const scriptedSets = ['scripted', 'frozen-scripted'] as const
export type ScriptedSet = (typeof scriptedSets)[number]
export type PageSet = (typeof tuningSets)[number] | FrozenSet | ScriptedSet
export const pageSets: readonly PageSet[] = [...new Set([...tuningSets, ...frozenSets, ...scriptedSets])]
export const isScripted = (set: PageSet): set is ScriptedSet => scriptedSets.some(each => each === set)

const scriptedFolders = { scripted: 'tuning', 'frozen-scripted': 'frozen' }

export const folderOf = (set: PageSet) =>
  join(
    ...[import.meta.dirname, '../../test'],
    ...(isScripted(set) ? ['scripted-sites', scriptedFolders[set]] : ['observation-pages', set]),
  )

type Claim = { claim_type: string; claimed_name: string; license_number: string | null }
type Listed = Record<string, string[]>

/** Labels of a site. Those of other sections are lists of texts. A section without labels is not scored. */
export type Labels = {
  geo?: { languages: string[]; currencies: string[] }
  legal_claims: Claim[]
  web_presence: { status: string | string[] }
  launch: { status: string | string[] }
  registration?: Record<string, string | null>
  must_not?: Listed
  either?: Listed
  [section: string]: unknown
}

type Response = {
  url: string
  final_url?: string
  redirect_chain?: string[]
  status: number
  headers: Record<string, string>
  file?: string
  purpose: 'root' | 'page' | 'rdap'
}

type SiteFile = {
  domain: string
  /** The number of the kind of miss that the page shows (README.md of the pages). */
  kind?: number
  licensed?: boolean
  /** How a script fills the page, in the scripted sets. */
  form?: string
  dns?: { ns: string[]; a: string[] }
  responses: Response[]
  /** What a browser requests besides, in the scripted sets. */
  resources?: { url: string; status: number; content_type: string; file?: string; delay_ms?: number }[]
  labels: Labels
}

export type LabelledSite = SiteFile & { name: string; captures: Capture[] }

export function labelledSites(set: PageSet): LabelledSite[] {
  const directory = folderOf(set)
  return readdirSync(directory, { withFileTypes: true })
    .filter(entry => entry.isDirectory())
    .map(({ name }) => {
      const site = load(readFileSync(join(directory, name, 'site.yaml'), 'utf8')) as SiteFile
      return { ...site, name, captures: capturesOf(site, join(directory, name)) }
    })
}

const unsummed = new Set(['README.md', 'checksums.txt'])

/** Returns the files that differ from their frozen checksums, or have none. */
export const changedFiles = (set: FrozenSet): string[] => changedFilesIn(folderOf(set))

export function changedFilesIn(directory: string): string[] {
  const lines = readFileSync(join(directory, 'checksums.txt'), 'utf8').trim().split('\n')
  const checksums = new Map(lines.map(line => [line.slice(66).replace(/^\.\//, ''), line.slice(0, 64)]))
  const present = readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter(entry => !entry.isDirectory())
    .map(entry => relative(directory, join(entry.parentPath, entry.name)))
    .filter(path => !unsummed.has(path))
  return [...new Set([...checksums.keys(), ...present])].filter(path => {
    const file = join(directory, path)
    return !existsSync(file) || checksums.get(path) !== sha256(readFileSync(file))
  })
}

const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')

const seenAt = new Date('2026-11-01T10:00:00Z')
const nothing = {
  finalUrl: null,
  status: null,
  headers: {},
  truncated: false,
  failure: null,
  redirectChain: [],
  certificate: null,
  seenAt,
}

function capturesOf({ domain, dns, responses }: SiteFile, directory: string): Capture[] {
  const none = { outcome: 'no_data' as const, records: [] as [] }
  const answers: DnsAnswers = {
    a: { outcome: 'answered', records: dns?.a ?? ['192.0.2.1'] },
    aaaa: none,
    ns: { outcome: 'answered', records: dns?.ns ?? ['ns1.hoster.example', 'ns2.hoster.example'] },
    mx: none,
    wwwA: none,
    wwwAaaa: none,
  }
  const body = Buffer.from(JSON.stringify(answers))
  const looked = { ...nothing, kind: 'dns' as const, purpose: 'dns' as const, url: `dns:${domain}`, body }
  return [looked, ...responses.map(response => responseOf(response, directory))]
}

function responseOf(response: Response, directory: string): Capture {
  const { url, final_url, redirect_chain, status, headers, file, purpose } = response
  return {
    ...nothing,
    kind: purpose === 'rdap' ? 'rdap' : 'http',
    purpose,
    url,
    finalUrl: final_url ?? url,
    redirectChain: redirect_chain ?? [url],
    status,
    headers: Object.fromEntries(
      Object.entries(headers ?? {}).map(([name, value]) => [name.toLowerCase(), value]),
    ),
    body: file === undefined ? new Uint8Array() : readFileSync(join(directory, file)),
  }
}
