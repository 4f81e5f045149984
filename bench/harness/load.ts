import { randomUUID } from 'node:crypto'
import autocannon from 'autocannon'

export type Target = {
  url: string
  /** The paths to request. Each connection has its own share. */
  paths: string[]
  keys: string[]
  /** Sent in turn instead of keys, such as the cookies of people. */
  headers?: Record<string, string>[]
  freshKeys?: boolean
  connections?: number
  /** Bodies that are sent in turn by POST to the only path. */
  bodies?: string[]
  /** The address of a second process of the service, which receives half of the connections. */
  secondUrl?: string
}

export type Figures = { requestsPerSecond: number; p50Ms: number; p99Ms: number; requests: number }

const connectionsDefault = 64

/**
 * Loads a target. It fails unless every answer is a 2xx, because refused connections count as fast. Each
 * connection has its own share of the paths, because equal concurrent reads would be batched. The shares
 * are short, because autocannon builds them within the measured time.
 */
export async function load(target: Target, seconds: number): Promise<Figures> {
  const { url, secondUrl, connections = connectionsDefault } = target
  if (secondUrl === undefined) return loadOne(target, seconds)
  const half = { ...target, connections: connections / 2 }
  const parts = await Promise.all([url, secondUrl].map(each => loadOne({ ...half, url: each }, seconds)))
  const sum = (of: (figures: Figures) => number) => parts.reduce((total, part) => total + of(part), 0)
  return {
    requestsPerSecond: sum(part => part.requestsPerSecond),
    p50Ms: Math.max(...parts.map(part => part.p50Ms)),
    p99Ms: Math.max(...parts.map(part => part.p99Ms)),
    requests: sum(part => part.requests),
  }
}

const firstAnswerMs = 60_000
const warmUpsMax = 5

/**
 * Warms up a target. Each server is asked once before, because its first answer can take long on a busy
 * machine. A warm-up that fails is repeated for longer.
 */
export async function warmUp(target: Target, seconds: number): Promise<void> {
  for (const url of [target.url, target.secondUrl ?? []].flat()) await askOnce({ ...target, url })
  for (let attempt = 1; ; attempt++) {
    try {
      await load(target, seconds * attempt)
      return
    } catch (error) {
      if (attempt === warmUpsMax) throw error
      console.error(`warm-up repeated: ${error instanceof Error ? error.message : error}`)
    }
  }
}

async function askOnce(target: Target): Promise<void> {
  const [{ path, ...request }] = requestsOf(target) as [autocannon.Request & { path: string }]
  const response = await fetch(`${target.url}${path}`, {
    method: request.method ?? 'GET',
    headers: request.headers as Record<string, string>,
    ...(request.body === undefined ? {} : { body: String(request.body) }),
    signal: AbortSignal.timeout(firstAnswerMs),
  })
  const text = await response.text()
  if (!response.ok) throw new Error(`${target.url}${path}: ${response.status} ${text.slice(0, 300)}`)
}

async function loadOne(target: Target, seconds: number): Promise<Figures> {
  const { connections = connectionsDefault } = target
  const requests = requestsOf(target)
  const shareLength = Math.ceil(requests.length / connections)
  let connected = 0
  const result = await autocannon({
    url: target.url,
    connections,
    duration: seconds,
    setupClient(client) {
      const start = Math.floor((connected++ * requests.length) / connections)
      const end = start + shareLength
      // The requests are repeated, because the last shares may exceed the end, and copied, because
      // autocannon modifies its input.
      client.setRequests([...requests, ...requests].slice(start, end).map(request => ({ ...request })))
    },
  })
  const failed = result.non2xx + result.errors + result.timeouts
  if (result['2xx'] === 0 || failed > 0) {
    throw new Error(
      `${target.url}: ${result['2xx']} answers of 2xx, ${result.non2xx} others, ${result.errors} errors`,
    )
  }
  return {
    requestsPerSecond: result['2xx'] / result.duration,
    p50Ms: result.latency.p50,
    p99Ms: result.latency.p99,
    requests: result['2xx'],
  }
}

function requestsOf({ paths, bodies, keys, headers, freshKeys }: Target): autocannon.Request[] {
  const keyAt = (index: number): Record<string, string> =>
    headers?.[index % headers.length] ?? { 'x-api-key': keys[index % keys.length] as string }
  const json = { 'content-type': 'application/json' }
  const requests =
    bodies === undefined
      ? paths.map((path, index) => ({ path, headers: keyAt(index) }))
      : bodies.map((body, index) => ({
          method: 'POST' as const,
          path: paths[0] as string,
          headers: { ...keyAt(index), ...json },
          body,
        }))
  return freshKeys ? requests.map(request => ({ ...request, setupRequest: withFreshKey })) : requests
}

function withFreshKey(request: autocannon.Request): autocannon.Request {
  return { ...request, headers: { ...request.headers, 'idempotency-key': randomUUID() } }
}
