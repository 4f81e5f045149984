import Fastify, { type FastifyInstance } from 'fastify'
import type { Registry } from 'prom-client'
import { mountMetrics } from './health.ts'

/** For processes without an API. */
export async function serveMetrics(
  registry: Registry,
  address: { host: string; port: number },
): Promise<FastifyInstance> {
  const app = Fastify({ forceCloseConnections: true })
  mountMetrics(app, registry)
  await app.listen(address)
  return app
}
