import { Agent, request } from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'
import type { Figures, Target } from './load.ts'

const connectionsMax = 64
const answerWithinMs = 30_000

/**
 * Measures latency below the machine's capacity. The time of a request counts from its scheduled start, so
 * that a slow answer does not hide the requests that waited for it. autocannon sends a second's requests at
 * once.
 */
export async function pacedLoad(
  target: Target,
  seconds: number,
  requestsPerSecond: number,
): Promise<Figures> {
  const agent = new Agent({ keepAlive: true, maxSockets: connectionsMax })
  const count = Math.round(seconds * requestsPerSecond)
  const startMs = performance.now()
  try {
    const takenMs = await Promise.all(
      Array.from({ length: count }, async (_, index) => {
        const dueMs = startMs + (index * 1_000) / requestsPerSecond
        await wait(Math.max(0, dueMs - performance.now()))
        await ask(agent, target, index)
        return performance.now() - dueMs
      }),
    )
    const elapsedSeconds = (performance.now() - startMs) / 1_000
    const sorted = takenMs.toSorted((a, b) => a - b)
    const share = (part: number) =>
      Math.round(10 * (sorted[Math.floor(part * (count - 1))] ?? Number.NaN)) / 10
    return {
      requestsPerSecond: count / elapsedSeconds,
      p50Ms: share(0.5),
      p99Ms: share(0.99),
      requests: count,
    }
  } finally {
    agent.destroy()
  }
}

function ask(agent: Agent, { url, paths, keys }: Target, index: number): Promise<void> {
  const path = paths[index % paths.length] as string
  const headers = { 'x-api-key': keys[index % keys.length] as string }
  return new Promise((answered, failed) => {
    const asked = request(`${url}${path}`, { agent, headers, timeout: answerWithinMs }, response => {
      const { statusCode = 0 } = response
      response.resume()
      response.once('error', failed)
      response.once('end', () => {
        if (statusCode >= 200 && statusCode < 300) answered()
        else failed(new Error(`${path} answered ${statusCode}`))
      })
    })
    asked.once('timeout', () => asked.destroy(new Error(`${path} was not answered in ${answerWithinMs} ms`)))
    asked.once('error', failed)
    asked.end()
  })
}
