import { setTimeout as pause } from 'node:timers/promises'
import type { Turns } from '@baize/outbound'
import type { Capture, CaptureFailure } from '@baize/site-reader'
import { captured, failed, type PageAnswer, redirectStatuses } from '../capture-answer.ts'

export type RdapTools = Turns & {
  serversOf(domain: string): Promise<string[]>
  fetchPage(url: string, limits: { timeoutMs: number; bytesMax: number; accept: string }): Promise<PageAnswer>
  now(): Date
  signal: AbortSignal
}

/** All workers together send a server about one request a second, because more would lead to a ban. */
const turnGapMs = 1_000
const turnWaitMsMax = 15_000
const requestMsMax = 10_000
const queryMsMax = 40_000
const answerBytesMax = 512 * 1024
const redirectsMax = 3
const deferMsDefault = 60_000
const deferMsMax = 60 * 60_000
const rdapType = 'application/rdap+json'
/** Some servers refuse the type of RFC 9083 and accept this one. */
const accepts = [rdapType, 'application/json']
const refusesType = new Set([400, 406, 415])

/**
 * Returns the answer of the registry about a domain, and of the registrar if the registry names its server.
 */
export async function queryRdap(domain: string, tools: RdapTools): Promise<Capture[]> {
  const [server] = await tools.serversOf(domain)
  const endsAtMs = tools.now().getTime() + queryMsMax
  if (server === undefined) return [failed(asked(`rdap:${domain}`, [], tools), noServer)]
  const url = new URL(`domain/${domain}`, server.endsWith('/') ? server : `${server}/`).href
  const registry = await ask(url, tools, endsAtMs)
  const related = relatedUrl(registry, domain)
  return related === null ? [registry] : [registry, await ask(related, tools, endsAtMs)]
}

async function ask(url: string, tools: RdapTools, endsAtMs: number): Promise<Capture> {
  const chain = [url]
  for (;;) {
    const current = chain.at(-1) as string
    const answer = await askAsEither(current, tools, endsAtMs)
    if ('failure' in answer) return failed(asked(url, chain, tools), answer.failure)
    const target = redirectStatuses.has(answer.status) ? answer.location : null
    if (target === null) return captured(asked(url, chain, tools), current, answer)
    if (chain.includes(target) || chain.length > redirectsMax || !target.startsWith('https:'))
      return failed(asked(url, chain, tools), badRedirect)
    chain.push(target)
  }
}

async function askAsEither(url: string, tools: RdapTools, endsAtMs: number): Promise<PageAnswer> {
  let answer: PageAnswer = { failure: outOfTime }
  for (const accept of accepts) {
    answer = await request(url, accept, { tools, endsAtMs })
    if ('failure' in answer || !refusesType.has(answer.status)) return answer
  }
  return answer
}

async function request(
  url: string,
  accept: string,
  { tools, endsAtMs }: { tools: RdapTools; endsAtMs: number },
): Promise<PageAnswer> {
  const { host } = new URL(url)
  const leftMs = () => Math.max(0, endsAtMs - tools.now().getTime())
  const waitMs = await tools.takeTurn(host, turnGapMs, Math.min(turnWaitMsMax, leftMs()))
  if (waitMs === null) return { failure: lineTooLong }
  if (waitMs > 0) await pause(waitMs, undefined, { signal: tools.signal })
  const timeoutMs = Math.min(requestMsMax, leftMs())
  if (timeoutMs <= 0) return { failure: outOfTime }
  const answer = await tools.fetchPage(url, { timeoutMs, bytesMax: answerBytesMax, accept })
  if (!('status' in answer) || answer.status !== 429) return answer
  await tools.deferTurns(host, retryAfterMs(answer.headers['retry-after'], tools.now()))
  return { failure: tooManyRequests }
}

/** Reads seconds or a date (RFC 9110). */
function retryAfterMs(value: string | undefined, now: Date): number {
  if (value === undefined) return deferMsDefault
  const ms = /^\d+$/.test(value) ? Number(value) * 1_000 : Date.parse(value) - now.getTime()
  return Number.isFinite(ms) ? Math.min(deferMsMax, Math.max(turnGapMs, ms)) : deferMsDefault
}

/** Returns the URL of the registrar's answer, to which a thin registry refers. */
function relatedUrl({ status, body, url }: Capture, domain: string): string | null {
  if (status !== 200 || body === null) return null
  const links = linksOf(body)
  for (const link of links) {
    const { rel, type, href } = (link ?? {}) as Record<string, unknown>
    if (rel !== 'related' || type !== rdapType || typeof href !== 'string') continue
    const target = URL.parse(href)
    const isOfDomain = target?.pathname.toLowerCase().endsWith(`/domain/${domain}`) === true
    if (isOfDomain && target?.protocol === 'https:' && target.href !== url) return target.href
  }
  return null
}

function linksOf(body: Uint8Array): unknown[] {
  try {
    const { links } = JSON.parse(new TextDecoder().decode(body)) as { links?: unknown }
    return Array.isArray(links) ? links.slice(0, 20) : []
  } catch {
    return []
  }
}

const noServer: CaptureFailure = {
  reason: 'no_server',
  message: 'the top-level domain has no RDAP server',
}
const outOfTime: CaptureFailure = { reason: 'timeout', message: 'the query has used up its time' }
const lineTooLong: CaptureFailure = {
  reason: 'rate_limited',
  message: 'other queries to this server have their turn first',
}
const tooManyRequests: CaptureFailure = { reason: 'rate_limited', message: 'the server answered 429' }
const badRedirect: CaptureFailure = {
  reason: 'too_many_redirects',
  message: `more than ${redirectsMax} redirects, a loop, or one without encryption`,
}

const asked = (url: string, redirectChain: string[], { now }: RdapTools) => ({
  kind: 'rdap' as const,
  purpose: 'rdap' as const,
  url,
  redirectChain,
  seenAt: now(),
})
