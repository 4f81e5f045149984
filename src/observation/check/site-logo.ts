import { Readable } from 'node:stream'
import type { FileStore } from '../../core/file-store.ts'
import type { Transaction } from '../../database/open.ts'
import {
  BadImage,
  blockLogoSweep,
  imageBytesMax,
  logoFileName,
  readImage,
  type SiteImage,
  storedName,
  upsertSiteLogo,
} from '../../features/logos/index.ts'
import type { Capture } from '../capture.ts'
import type { Finding } from '../finding.ts'
import { allowedBy } from '../look/robots.ts'
import { fetchInTurn, type SiteTools } from '../look/site-visit.ts'

export type FoundLogo = { bytes: Uint8Array; image: SiteImage }

/** The order in which candidates are tried. */
const kinds = ['json_ld', 'header', 'icon']
/** Of all candidates together. */
const fetchMsMax = 10_000
/** Of a check; its pages leave one at least. */
const requestsMax = 8

type Seen = { domain: string; findings: readonly Finding[]; captures: readonly Capture[] }

/**
 * Fetches the best logo that the site shows of itself and that can be read, with the requests that its pages
 * left, and as its robots.txt allows if the check obeys it; null: none.
 */
export async function fetchLogo(
  { domain, findings, captures }: Seen,
  tools: SiteTools,
  userAgent: string,
): Promise<FoundLogo | null> {
  const mayFetch = allowedBy(captures, userAgent)
  const candidates = findings
    .filter(({ section }) => section === 'logo')
    .map(({ value }) => ({ url: String(value.url), kind: String(value.kind) }))
    .filter(({ url, kind }) => kinds.includes(kind) && mayFetch(url))
    .sort((one, other) => kinds.indexOf(one.kind) - kinds.indexOf(other.kind))
  const endsAtMs = tools.now().getTime() + fetchMsMax
  for (const { url, kind } of candidates.slice(0, Math.max(1, requestsMax - requestsOf(captures)))) {
    const answer = await fetchInTurn(tools, { domain, url, bytesMax: imageBytesMax, endsAtMs })
    if ('failure' in answer || answer.status !== 200 || answer.truncated) continue
    const image = await imageOf(answer.body, kind === 'icon' ? 'icon' : 'logo')
    if (image !== null) return image
  }
  return null
}

/** At most: a target of a redirect that is another site's, or that robots.txt forbids, was not requested. */
function requestsOf(captures: readonly Capture[]): number {
  const chains = captures.filter(({ kind }) => kind === 'http').map(({ redirectChain }) => redirectChain)
  return chains.reduce((sum, chain) => sum + chain.length, 0)
}

async function imageOf(body: Uint8Array, variant: SiteImage['variant']): Promise<FoundLogo | null> {
  try {
    const { bytes, format, width, height } = await readImage(body)
    return { bytes, image: { file_name: logoFileName(bytes, format), format, width, height, variant } }
  } catch (error) {
    if (error instanceof BadImage) return null
    throw error
  }
}

/** Before the rows that name it: a sweep waits until the transaction ends. */
export async function storeLogoFile(tx: Transaction, { bytes, image }: FoundLogo, files: FileStore) {
  await blockLogoSweep(tx)
  await files.put(storedName(image.file_name), Readable.from([bytes]))
}

type Site = { domainId: number; domain: string; seenAt: Date }

export async function upsertLogo(tx: Transaction, { image }: FoundLogo, site: Site): Promise<void> {
  await upsertSiteLogo(tx, site, image, site.seenAt)
}
