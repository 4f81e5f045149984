import { randomUUID } from 'node:crypto'
import autocannon from 'autocannon'

export type Target = {
  url: string
  /** Paths to request; each connection has its own share. */
  paths: string[]
  keys: string[]
  freshKeys?: boolean
  connections?: number
}

export type Figures = { requestsPerSecond: number; p50Ms: number; p99Ms: number; requests: number }

const connectionsDefault = 64

/**
 * Fails unless every answer was a 2xx, because refused connections count as fast. Each connection requests
 * its own share of the paths: equal concurrent reads would be batched. The shares are short, because
 * autocannon builds them within the measured time.
 */
export async function load(target: Target, seconds: number): Promise<Figures> {
  const { paths, keys, connections = connectionsDefault } = target
  const requests = paths.map((path, index) => ({
    path,
    headers: { 'x-api-key': keys[index % keys.length] as string },
    ...(target.freshKeys ? { setupRequest: withFreshKey } : {}),
  }))
  const shareLength = Math.ceil(paths.length / connections)
  let connected = 0
  const result = await autocannon({
    url: target.url,
    connections,
    duration: seconds,
    setupClient(client) {
      const start = Math.floor((connected++ * paths.length) / connections)
      const end = start + shareLength
      // The last shares may exceed the end. Copied, because autocannon modifies its input.
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

function withFreshKey(request: autocannon.Request): autocannon.Request {
  return { ...request, headers: { ...request.headers, 'idempotency-key': randomUUID() } }
}
