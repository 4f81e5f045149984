import { randomUUID } from 'node:crypto'
import autocannon from 'autocannon'

export type Target = {
  url: string
  /** Paths to go through, each connection its own share of them. */
  paths: string[]
  keys: string[]
  /** Sends a fresh Idempotency-Key with each request. */
  freshKeys?: boolean
  /** Default: 64. */
  connections?: number
}

export type Figures = { requestsPerSecond: number; p50Ms: number; p99Ms: number; requests: number }

const connectionsDefault = 64

/**
 * Loads a target for so many seconds; fails unless every answer was a 2xx, for a refused port counts fast, too.
 *
 * Each connection goes through a share of the paths of its own, so that no two ask the same at the same time, which a gathered read
 * would answer at once. And autocannon makes all requests of a connection before it sends the first, within the time that it
 * measures: of 2,000 paths by 64 connections that took longer than some scenarios last.
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
      // The last shares may reach beyond the end; and autocannon writes into what it is handed.
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
