import { randomUUID } from 'node:crypto'
import autocannon from 'autocannon'

export type Target = {
  url: string
  /** Paths to go through, each connection from its own place. */
  paths: string[]
  keys: string[]
  /** Sends a fresh Idempotency-Key with each request. */
  freshKeys?: boolean
  /** Default: 64. */
  connections?: number
}

export type Figures = { requestsPerSecond: number; p50Ms: number; p99Ms: number; requests: number }

const connections = 64

/** Loads a target for so many seconds; fails unless every answer was a 2xx, for a refused port counts fast, too. */
export async function load(target: Target, seconds: number): Promise<Figures> {
  const headers = (key: string) => ({ 'x-api-key': key })
  const requests = target.paths.map((path, index) => ({
    path,
    headers: headers(target.keys[index % target.keys.length] as string),
    ...(target.freshKeys
      ? {
          setupRequest: (request: autocannon.Request) => {
            request.headers = { ...request.headers, 'idempotency-key': randomUUID() }
            return request
          },
        }
      : {}),
  }))
  const result = await autocannon({
    url: target.url,
    connections: target.connections ?? connections,
    duration: seconds,
    requests,
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
