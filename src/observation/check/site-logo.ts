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
import type { Finding } from '../finding.ts'
import { fetchInTurn, type SiteTools } from '../look/site-visit.ts'

export type FoundLogo = { bytes: Uint8Array; image: SiteImage }

/** The order in which candidates are tried. */
const kinds = ['json_ld', 'header', 'icon']
const fetchMsMax = 10_000

/** Fetches the best logo that the site shows of itself; null: none, or it cannot be read. */
export async function fetchLogo(
  findings: readonly Finding[],
  domain: string,
  tools: SiteTools,
): Promise<FoundLogo | null> {
  const [best] = findings
    .filter(({ section }) => section === 'logo')
    .map(({ value }) => ({ url: String(value.url), kind: String(value.kind) }))
    .filter(({ kind }) => kinds.includes(kind))
    .sort((one, other) => kinds.indexOf(one.kind) - kinds.indexOf(other.kind))
  if (best === undefined) return null
  const endsAtMs = tools.now().getTime() + fetchMsMax
  const answer = await fetchInTurn(tools, { domain, url: best.url, bytesMax: imageBytesMax, endsAtMs })
  if ('failure' in answer || answer.status !== 200 || answer.truncated) return null
  try {
    const { bytes, format, width, height } = await readImage(answer.body)
    const variant = best.kind === 'icon' ? ('icon' as const) : ('logo' as const)
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
