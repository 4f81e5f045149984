import { BadImage, type Image, imageBytesMax, readImage } from '@baize/images'
import type { Capture, Finding } from '@baize/site-reader'
import { untilAborted } from '@baize/threads/until-aborted'
import type { LookTools } from './look-at-site.ts'
import { allowedBy } from './robots.ts'
import { fetchInTurn } from './site-visit.ts'

export type FoundLogo = Image & { variant: 'logo' | 'icon' }

/** Candidates are tried in this order. */
const kinds = ['json_ld', 'header', 'icon']
/** The limit of all requests together. */
const fetchMsMax = 10_000
/** The most requests of one check, with those for its logo. Its pages leave at least one. */
const requestsMax = 8

type Seen = { domain: string; findings: readonly Finding[]; captures: readonly Capture[] }
type Bounds = { userAgent: string; leftMs: number }

/**
 * Fetches the best readable logo that the site shows of itself, with the requests that the check has left.
 * Obeys robots.txt if the check does. Returns null if the site has no logo that is readable in time.
 */
export async function fetchLogo(seen: Seen, tools: LookTools, bounds: Bounds): Promise<FoundLogo | null> {
  const late = AbortSignal.timeout(Math.max(0, bounds.leftMs))
  try {
    return await untilAborted(findLogo(seen, tools, { ...bounds, late }), late)
  } catch (error) {
    if (error === late.reason) return null
    throw error
  }
}

async function findLogo(
  { domain, findings, captures }: Seen,
  tools: LookTools,
  { userAgent, leftMs, late }: Bounds & { late: AbortSignal },
): Promise<FoundLogo | null> {
  const mayFetch = allowedBy(captures, userAgent, tools.reader)
  const candidates = findings
    .filter(({ section }) => section === 'logo')
    .map(({ value }) => ({ url: String(value.url), kind: String(value.kind) }))
    .filter(({ kind }) => kinds.includes(kind))
    .sort((one, other) => kinds.indexOf(one.kind) - kinds.indexOf(other.kind))
  const endsAtMs = tools.now().getTime() + Math.min(fetchMsMax, leftMs)
  let requestsLeft = Math.max(1, requestsMax - requestsOf(captures))
  for (const { url, kind } of candidates) {
    if (requestsLeft === 0) return null
    if (!(await mayFetch(url))) continue
    requestsLeft -= 1
    const answer = await fetchInTurn(tools, { domain, url, bytesMax: imageBytesMax, endsAtMs })
    if ('failure' in answer || answer.status !== 200 || answer.truncated) continue
    const image = await imageOf(answer.body, kind === 'icon' ? 'icon' : 'logo', late)
    if (image !== null) return image
  }
  return null
}

/**
 * Returns the most requests that were sent. A redirect to another site, or one that robots.txt forbids, was
 * not followed.
 */
function requestsOf(captures: readonly Capture[]): number {
  const chains = captures.filter(({ kind }) => kind === 'http').map(({ redirectChain }) => redirectChain)
  return chains.reduce((sum, chain) => sum + chain.length, 0)
}

async function imageOf(
  body: Uint8Array,
  variant: FoundLogo['variant'],
  late: AbortSignal,
): Promise<FoundLogo | null> {
  try {
    return { ...(await readImage(body, late)), variant }
  } catch (error) {
    if (error instanceof BadImage) return null
    throw error
  }
}
