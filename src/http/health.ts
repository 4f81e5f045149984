import type { FastifyInstance } from 'fastify'
import type { Registry } from 'prom-client'
import { unavailableRetryAfterSeconds } from './failures.ts'
import type { Service } from './service.ts'

const readyTimeoutMs = 2_000

/** `/healthz`: the process runs. `/readyz`: a charge can be settled. `/metrics`: Prometheus. */
export function mountHealth(app: FastifyInstance, service: Service): void {
  app.get('/healthz', async () => ({ status: 'ok' }))
  app.get('/readyz', async (_request, reply) => {
    const reason = await service.readiness.notReadyBecause(readyTimeoutMs)
    if (reason === null) return { status: 'ready' }
    return reply
      .code(503)
      .header('retry-after', String(unavailableRetryAfterSeconds))
      .send({ status: 'not_ready', reason })
  })
  mountMetrics(app, service.metrics.registry)
}

export function mountMetrics(app: FastifyInstance, registry: Registry): void {
  app.get('/metrics', async (_request, reply) => {
    reply.type(registry.contentType)
    return registry.metrics()
  })
}
