/** Asks an adapter of the operator for its JSON about a domain (docs/operating/site-checks.md). */
import { setTimeout as sleep } from 'node:timers/promises'
import { fetchPage } from './fetch-page.ts'
import type { NetworkSettings } from './network-settings.ts'

export type SourceRequest = {
  /** The URL contains `{domain}`. */
  url: string
  domain: string
  bytesMax: number
  userAgent: string
  network: NetworkSettings
  signal: AbortSignal
}

export type SourceResponse =
  | { outcome: 'answered'; body: unknown }
  | { outcome: 'no_data' | 'temporarily_unavailable' | 'unavailable' | 'too_large' }

/** The limit of all attempts together. */
const timeoutMs = 20_000
const attemptsMax = 3
const pauseMs = 250

/** 404, 410 and 204 mean "no data". Fails only if the signal aborts for another reason than a timeout. */
export async function askSource(request: SourceRequest): Promise<SourceResponse> {
  const signal = AbortSignal.any([request.signal, AbortSignal.timeout(timeoutMs)])
  try {
    for (let attempt = 1; ; attempt += 1) {
      const response = await askOnce({ ...request, signal })
      if (response.outcome !== 'temporarily_unavailable' || attempt === attemptsMax) return response
      // The jitter prevents that many requests are repeated at once.
      await sleep(pauseMs * 2 ** attempt * (0.5 + Math.random()), undefined, { signal })
    }
  } catch (error) {
    if (!signal.aborted || (request.signal.aborted && !isTimeout(request.signal.reason))) throw error
    return { outcome: 'temporarily_unavailable' }
  }
}

const isTimeout = (reason: unknown) => reason instanceof Error && reason.name === 'TimeoutError'

async function askOnce({ url, domain, ...request }: SourceRequest): Promise<SourceResponse> {
  const { network, ...limits } = request
  const page = await fetchPage(
    {
      ...limits,
      url: url.replaceAll('{domain}', encodeURIComponent(domain)),
      accept: 'application/json',
      timeoutMs,
    },
    network,
  )
  if ('failure' in page) {
    const isRefused = page.failure.reason === 'refused_address' || page.failure.reason === 'tls'
    return { outcome: isRefused ? 'unavailable' : 'temporarily_unavailable' }
  }
  const { status, truncated, body } = page
  if (status === 404 || status === 410 || status === 204) return { outcome: 'no_data' }
  if (status === 408 || status === 429 || status >= 500) return { outcome: 'temporarily_unavailable' }
  if (status !== 200) return { outcome: 'unavailable' }
  if (truncated) return { outcome: 'too_large' }
  try {
    return {
      outcome: 'answered',
      body: JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body)) as unknown,
    }
  } catch {
    return { outcome: 'unavailable' }
  }
}
