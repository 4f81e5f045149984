import { setTimeout as pause } from 'node:timers/promises'
import type { Turns } from '@baize/outbound'
import type { Capture, CaptureFailure, CapturePurpose } from '@baize/site-reader'
import { captured, failed, type PageAnswer, redirectStatuses } from './capture-answer.ts'
import { type LargePlace, largeFromBytes } from './large-place.ts'

export type SiteTools = Pick<Turns, 'takeTurn'> & {
  fetchPage(url: string, limits: { timeoutMs: number; bytesMax: number }): Promise<PageAnswer>
  now(): Date
  signal: AbortSignal
  /** Limits large pages in memory. Without it, pages are assumed to be small. */
  large?: LargePlace
}

/** The eighth request of a check is for its logo. */
const requestsMax = 7
const redirectsMax = 6
const turnGapMs = 1_000
const requestTimeoutMs = 20_000
const pageBytesMax = 5 * 1024 * 1024
const siteBytesMax = 15 * 1024 * 1024

/** Sends the requests of one check to one site. Their number, bytes, time and pace are bounded. */
export class SiteVisit {
  readonly #domain: string
  readonly #tools: SiteTools
  readonly #endsAtMs: number
  readonly #isOfSite: (url: string) => boolean
  #requests = 0
  #bytes = 0
  /** Is called for every URL, even for the target of a redirect. */
  mayFetch: (url: string) => Promise<boolean> = async () => true

  constructor(
    domain: string,
    tools: SiteTools,
    bounds: { endsAtMs: number; isOfSite: (url: string) => boolean },
  ) {
    this.#domain = domain
    this.#tools = tools
    this.#endsAtMs = bounds.endsAtMs
    this.#isOfSite = bounds.isOfSite
  }

  get requestsLeft(): number {
    return requestsMax - this.#requests
  }

  /** Follows redirects within the site. One to another site is recorded, not followed. */
  async capture(url: string, purpose: CapturePurpose): Promise<Capture> {
    const chain = [url]
    for (;;) {
      const current = chain.at(-1) as string
      const answer = await this.#request(current)
      const asked = { kind: 'http' as const, purpose, url, redirectChain: chain, seenAt: this.#tools.now() }
      if ('failure' in answer) return failed(asked, answer.failure)
      const target = redirectStatuses.has(answer.status) ? answer.location : null
      if (target === null) return captured(asked, current, answer)
      const isLoop = chain.includes(target)
      chain.push(target)
      if (!this.#isOfSite(target)) return captured(asked, target, answer)
      if (isLoop || chain.length > redirectsMax) return failed(asked, tooManyRedirects)
    }
  }

  async #request(url: string): Promise<PageAnswer> {
    if (!(await this.mayFetch(url))) return { failure: disallowed }
    const bytesMax = Math.min(pageBytesMax, siteBytesMax - this.#bytes)
    if (this.requestsLeft <= 0 || bytesMax <= 0) return { failure: usedUp }
    if (this.#bytes >= largeFromBytes && !(await this.#takeLargePlace())) return { failure: outOfTime }
    this.#requests += 1
    const answer = await fetchInTurn(this.#tools, {
      domain: this.#domain,
      url,
      bytesMax,
      endsAtMs: this.#endsAtMs,
    })
    if ('body' in answer) this.#bytes += answer.body.byteLength
    return answer
  }

  async #takeLargePlace(): Promise<boolean> {
    const { large, now } = this.#tools
    return large === undefined || large.take(Math.max(0, this.#endsAtMs - now().getTime()))
  }
}

type Turn = { domain: string; url: string; bytesMax: number; endsAtMs: number }

/** Sends one request when it is the site's turn. */
export async function fetchInTurn(
  tools: SiteTools,
  { domain, url, bytesMax, endsAtMs }: Turn,
): Promise<PageAnswer> {
  const leftMs = () => Math.max(0, endsAtMs - tools.now().getTime())
  const waitMs = await tools.takeTurn(domain, turnGapMs, leftMs())
  if (waitMs === null) return { failure: lineTooLong }
  if (waitMs > 0) await pause(waitMs, undefined, { signal: tools.signal })
  const timeoutMs = Math.min(requestTimeoutMs, leftMs())
  if (timeoutMs <= 0) return { failure: outOfTime }
  return tools.fetchPage(url, { timeoutMs, bytesMax })
}

const disallowed: CaptureFailure = {
  reason: 'robots_disallow',
  message: 'robots.txt does not allow this page to programs',
}
const tooManyRedirects: CaptureFailure = {
  reason: 'too_many_redirects',
  message: `more than ${redirectsMax - 1} redirects, or a loop`,
}
const usedUp: CaptureFailure = {
  reason: 'too_large',
  message: 'the check has used up its requests or its bytes',
}
const lineTooLong: CaptureFailure = {
  reason: 'rate_limited',
  message: 'other requests to this site have their turn first',
}
const outOfTime: CaptureFailure = { reason: 'timeout', message: 'the check has used up its time' }
