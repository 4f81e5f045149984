import { readDomain } from '@baize/names'
import { openPool } from '@baize/postgres'
import underPressure from '@fastify/under-pressure'
import Fastify, { type FastifyRequest } from 'fastify'
import { openWorld } from '../../src/database/open.ts'
import { KeyRing } from '../../src/features/account/index.ts'
import { cachedCoverage, verdictRows } from '../../src/features/domains/domain-store.ts'
import { readMentions } from '../../src/features/domains/mentions-store.ts'
import { writeVerdict } from '../../src/features/domains/verdict-members.ts'
import { marketsInForce } from '../../src/features/regimes/index.ts'
import { creditHeaders } from '../../src/http/answer/answer.ts'
import { createMetrics } from '../../src/http/health/metrics.ts'
import { throttle } from '../../src/http/throttle.ts'
import { charge } from '../../src/metering/pricing.ts'
import { Settler } from '../../src/metering/settle.ts'
import { newSettlementId } from '../../src/metering/settlement-id.ts'
import { requestParams } from '../../src/metering/usage.ts'

// Serves only a paid verdict, on the service's own tables and modules, which is the least that one can
// cost. It lacks other operations, Idempotency-Keys, plans, ceilings, refusals, and facts about the client.
const connection = { connectionString: process.env.DATABASE_URL }
const world = openWorld('public', { connection })
const settler = new Settler(openPool(connection, 'public', { connectionsMax: 2 }))
const keys = new KeyRing(world, () => {})
const metrics = createMetrics()
const eventLoopDelayMsMax = 1_000
const charges = [charge('domain.verdict', 1)]
const operation = 'resolve_domain'

const app = Fastify()
app.addHook('onRequest', (request, reply, done) => {
  reply.header('x-request-id', request.id)
  reply.header('x-content-type-options', 'nosniff')
  reply.header('cache-control', 'private, no-store')
  done()
})
await throttle(app, { perMinute: 1_000_000, redis: null, onRefused: () => {} })
await app.register(underPressure, { maxEventLoopDelay: eventLoopDelayMsMax })

app.get('/v1/domains/resolve', async (request: FastifyRequest, reply) => {
  const startedAtMs = performance.now()
  const now = new Date()
  const caller = await keys.authenticate(request.headers['x-api-key'] as string, now)
  const { domain: sent } = request.query as { domain: string }
  const reading = readDomain(sent)
  if (caller === null || !reading.ok) return reply.code(400).send()

  const { domain } = reading
  const row = await world.readByKey(verdictRows, domain)
  const coverage = await cachedCoverage(world, now)
  const [mentions] = await readMentions(world, [{ sent, domain, stored: row }])
  const regimes = await marketsInForce(world, now)
  const verdict = writeVerdict(domain, row, JSON.stringify(mentions), regimes)
  const timestamp = now.toISOString()
  const oldest = coverage.oldest_snapshot_at?.toISOString()
  const body =
    `{"success":true,"message":"OK","data":{"domain":${verdict.domain},"verdict":${verdict.verdict},` +
    `"licensed_by":${verdict.licensed_by},"blocked_by":${verdict.blocked_by},` +
    `"mentioned_by":${verdict.mentioned_by},"company":${verdict.company},` +
    `"checked":{"registers":${coverage.registers},"blocklists":${coverage.blocklists},` +
    `"oldest_snapshot_at":${oldest === undefined ? 'null' : `"${oldest}"`},"as_of":"${timestamp}"},` +
    '"billing":{"returned_count":1,"credits_per_verdict":1,"credits_charged":1,' +
    '"billing_reason":"verdict_delivered","max_credits":null,"page_size":null,"breakdown":[' +
    '{"key":"domain.verdict","units":1,"credits_per_unit":1,"credits_charged":1}]},' +
    `"credits_charged":1},"timestamp":"${timestamp}"}`

  const outcome = await settler.settle({
    kind: 'charge',
    accountId: caller.accountId,
    settlementId: newSettlementId(),
    credits: 1,
    charges,
    requestId: request.id,
    answer: { status: 200 },
    usage: {
      requestedAt: now,
      endpoint: operation,
      durationMs: Math.round(performance.now() - startedAtMs),
      requestParams: requestParams({ domain: sent }),
      source: 'api',
      client: null,
      keyId: caller.keyId ?? null,
    },
  })
  if (outcome.outcome !== 'settled') return reply.code(429).send()
  metrics.charged(operation, 1)
  reply.headers(creditHeaders(1, outcome)).header('content-type', 'application/json; charset=utf-8')
  metrics.observe(operation, 200, (performance.now() - startedAtMs) / 1_000)
  return body
})
await app.listen({ host: '127.0.0.1', port: Number(process.env.PORT) })
