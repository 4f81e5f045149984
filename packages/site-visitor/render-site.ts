import type { Rendered, RenderReason, RenderRequest } from '@baize/renderer'
import type { Capture, CaptureFailure, CapturePurpose } from '@baize/site-reader'

export type RenderTools = {
  /** Visits a page; undefined where no renderer is configured. */
  render?: ((request: Omit<RenderRequest, 'lane' | 'signal'>) => Promise<Rendered>) | undefined
  /** Returns URLs of a page that are worth reading, the most useful first. */
  choosePages(page: Capture): Promise<string[]>
  /** Checks whether a script fills this page. */
  isShell(page: Capture): Promise<boolean>
  now(): Date
}

type Bounds = { endsAtMs: number; isOfSite(url: string): boolean; mayFetch(url: string): Promise<boolean> }

const visitMsMax = 20_000
/** A visit with less time would only see a page load. */
const visitMsMin = 5_000
const waitMsMax = 20_000
const bytesMax = 15 * 1024 * 1024
const requestsMax = 60
const furtherPagesMax = 2
const framesMax = 3

/**
 * Visits the root as a browser, and pages that it leads to if a script fills the site. One visit is not one
 * of a check's requests. Returns nothing where no page is rendered.
 */
export async function renderSite(root: Capture, tools: RenderTools, bounds: Bounds): Promise<Capture[]> {
  if (tools.render === undefined || root.status !== 200 || root.body === null || root.body.length === 0)
    return []
  const captures = await renderPage(root.url, 'root', tools, bounds)
  const [rendered] = captures
  if (rendered === undefined || rendered.failure !== null || !(await tools.isShell(root))) return captures
  const urls = await tools.choosePages(rendered)
  for (const url of urls.filter(bounds.isOfSite).slice(0, furtherPagesMax))
    if (await bounds.mayFetch(url)) captures.push(...(await renderPage(url, 'page', tools, bounds)))
  return captures
}

async function renderPage(
  url: string,
  purpose: CapturePurpose,
  { render, now }: RenderTools,
  { endsAtMs, isOfSite, mayFetch }: Bounds,
): Promise<Capture[]> {
  const leftMs = endsAtMs - now().getTime()
  if (render === undefined || leftMs < visitMsMin) return []
  const seen = await render({
    url,
    seesEnd: true,
    budget: {
      ms: Math.min(visitMsMax, leftMs),
      waitMs: Math.min(waitMsMax, leftMs - visitMsMin),
      bytes: bytesMax,
      requests: requestsMax,
    },
    mayRequest: async each => !isOfSite(each) || (await mayFetch(each)),
  })
  // A Chromium that is lost meanwhile is a failure: the last rendered launch then stands.
  if (seen.reason === 'unavailable') return []
  const of = { kind: 'dom' as const, certificate: null, seenAt: now(), truncated: seen.truncated }
  if (seen.dom === null) {
    const failure = { reason: failures[seen.reason ?? 'crashed'], message: seen.message ?? '' }
    return [{ ...of, purpose, url, redirectChain: seen.chain, finalUrl: null, ...nothing, failure }]
  }
  const answer = { ...of, status: seen.status ?? 200, headers: headersOf(seen), failure: null }
  const page = { ...answer, purpose, url, redirectChain: seen.chain, finalUrl: seen.finalUrl }
  const frames = seen.frames.slice(0, framesMax).map(frame => ({
    ...{ ...answer, status: 200, purpose: 'page' as const, url: frame.url, redirectChain: [frame.url] },
    ...{ finalUrl: frame.url, body: Buffer.from(frame.dom) },
  }))
  return [{ ...page, body: Buffer.from(seen.dom) }, ...frames]
}

const nothing = { status: null, headers: {}, body: null }

const failures: Record<Exclude<RenderReason, 'unavailable'>, CaptureFailure['reason']> = {
  lost: 'broken',
  busy: 'rate_limited',
  timeout: 'timeout',
  unreachable: 'broken',
  too_large: 'too_large',
  crashed: 'broken',
}

/** A DOM is text in UTF-8. A header says that the page is a challenge. */
function headersOf({ headers }: Rendered): Record<string, string> {
  const challenge = headers['cf-mitigated']
  return {
    'content-type': 'text/html; charset=utf-8',
    ...(challenge === undefined ? {} : { 'cf-mitigated': challenge }),
  }
}
