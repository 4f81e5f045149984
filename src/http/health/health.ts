import Fastify, { type FastifyInstance } from 'fastify'
import type { Registry } from 'prom-client'
import { unavailableRetryAfterSeconds } from '../answer/failures.ts'
import type { Service } from '../service.ts'

const readyTimeoutMs = 2_000

/** Serves `/healthz` (the process runs), `/readyz` (a charge can be settled) and `/metrics` (Prometheus). */
export function mountHealth(app: FastifyInstance, service: Service): void {
  app.get('/healthz', async () => ({ status: 'ok' }))
  app.get('/readyz', async (_request, reply) => {
    const reason = await service.readiness.notReadyBecause(readyTimeoutMs)
    const { warning } = service.standbys
    if (reason === null) return { status: 'ready', ...(warning === null ? {} : { warning }) }
    return reply
      .code(503)
      .header('retry-after', String(unavailableRetryAfterSeconds))
      .send({ status: 'not_ready', reason })
  })
  mountMetrics(app, service.metrics.registry)
}

function mountMetrics(app: FastifyInstance, registry: Registry): void {
  app.get('/metrics', async (_request, reply) => {
    reply.type(registry.contentType)
    return registry.metrics()
  })
}

/** Serves metrics of a process without an API. */
export async function serveMetrics(
  registry: Registry,
  address: { host: string; port: number },
): Promise<FastifyInstance> {
  const app = Fastify({ forceCloseConnections: true })
  mountMetrics(app, registry)
  await app.listen(address)
  return app
}
