import { METHODS } from 'node:http'
import underPressure from '@fastify/under-pressure'
import Fastify, {
  type FastifyBaseLogger,
  type FastifyHttpOptions,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  LogController,
  type RawServerDefault,
} from 'fastify'
import type { Redis } from 'ioredis'
import { Failure } from '../core/failure.ts'
import { randomBase62 } from '../core/ref.ts'
import {
  asFailure,
  noRoute,
  type Refused,
  refusal,
  refuseOtherMethods,
  sendRefusal,
} from './answer/failures.ts'
import { methodsOf, mountOperations, routeOf } from './answer/mount.ts'
import { type ConnectionLimits, connectionOptions, drainOnClose, requestIdLength } from './connections.ts'
import { mountDocs } from './docs/docs.ts'
import { mountHealth } from './health/health.ts'
import { mountMcp } from './mcp/mount-mcp.ts'
import { mountAssets, mountPublicPages } from './public/mount-public-pages.ts'
import { mountProspectListRequests } from './public/prospect-list-requests.ts'
import { parseBodies } from './read/parse-bodies.ts'
import { mountImages } from './send/images.ts'
import { sendRefused } from './send/refusal-page.ts'
import type { Service } from './service.ts'
import { mountDashboard } from './sessions/mount-dashboard.ts'
import { mountSignIn } from './sessions/mount-sign-in.ts'
import { throttle, throttleBody } from './throttle.ts'

const bodyBytesMax = 64 * 1024
const eventLoopDelayMsMaxDefault = 1_000
const overloadRetryAfterSeconds = 5
const requestIdPattern = /^[A-Za-z0-9_-]{8,64}$/

export type ServerOptions = ConnectionLimits & {
  redis?: Redis | null
  /** The event loop delay in milliseconds above which requests are refused; 0 for never. */
  eventLoopDelayMsMax?: number
}

/** Builds the HTTP server of a service. It knows the protocol, but no rule of any operation. */
export async function buildServer(
  service: Service,
  { redis = null, eventLoopDelayMsMax = eventLoopDelayMsMaxDefault, ...limits }: ServerOptions = {},
): Promise<FastifyInstance> {
  const refuse: Refuse = error => refusal(error, service.settings.baseUrl, service.now().toISOString())
  const app = Fastify(fastifyOptions(service, limits, refuse))
  for (const method of METHODS)
    if (!app.supportedMethods.includes(method) && method !== 'CONNECT') app.addHttpMethod(method)
  drainOnClose(app)
  // A closing server answers requests that wait for checks with the stored data.
  app.addHook('preClose', async () => service.waits.stop())
  // Node would answer an unknown expectation with an empty 417. HTTP allows servers to ignore it.
  app.server.on('checkExpectation', (request, response) => app.server.emit('request', request, response))
  app.addHook('onRequest', (request, reply, done) => {
    writeCommonHeaders(request, reply)
    if (hasHost(request)) return done()
    reply.header('connection', 'close')
    done(new Failure('invalid_parameter', { message: 'An HTTP/1.1 request must have a Host header.' }))
  })
  app.setErrorHandler((error: { statusCode?: number; code?: string }, request, reply) => {
    const throttled = throttleBody(error)
    if (throttled !== null) return reply.code(429).send(throttled)
    const failure = asClientFailure(error)
    if (!(failure instanceof Failure))
      service.log.error({ err: error, request_id: request.id }, 'request failed')
    else if (failure.status === 503) service.log.warn({ err: error, request_id: request.id }, failure.message)
    return sendRefused(request, reply, refuse(failure))
  })
  mountHealth(app, service)
  await mountDocs(app, service)
  await mountImages(app, service)
  await mountProspectListRequests(app, service, redis)
  await mountPublicPages(app, service)
  mountAssets(app)
  await mountDashboard(app, service)
  await mountSignIn(app, service, redis)
  await app.register(api => mountApi(api, service, { redis, eventLoopDelayMsMax, refuse }))
  app.setNotFoundHandler((request, reply) => sendRefused(request, reply, refuse(noRoute(request))))
  return app
}

type Refuse = (error: unknown) => Refused

function fastifyOptions({ settings, log }: Service, limits: ConnectionLimits, refuse: Refuse) {
  return {
    loggerInstance: log as FastifyBaseLogger,
    // A log line per request would cost more than a verdict. Metrics and usage records count requests.
    logController: new LogController({ disableRequestLogging: true }),
    childLoggerFactory: (logger: FastifyBaseLogger) => logger,
    bodyLimit: bodyBytesMax,
    // `__proto__` and `constructor` are unknown members like any other.
    onProtoPoisoning: 'ignore',
    onConstructorPoisoning: 'ignore',
    ...connectionOptions(limits, refuse),
    forceCloseConnections: 'idle',
    // Fastify's 503 would not be an envelope, so requests are served until connections are closed.
    return503OnClosing: false,
    trustProxy: trustedProxies(settings.trustProxy),
    requestIdHeader: false,
    genReqId: (request: { headers: Record<string, string | string[] | undefined> }) => {
      const given = request.headers['x-request-id']
      return typeof given === 'string' && requestIdPattern.test(given) ? given : randomBase62(requestIdLength)
    },
    routerOptions: { ignoreTrailingSlash: false, caseSensitive: true },
    rewriteUrl: (request: { url?: string | undefined }) => decodable(request.url ?? '/'),
    // These errors happen before any hook, so the common headers are written here.
    frameworkErrors: (_error: unknown, request: FastifyRequest, reply: FastifyReply) => {
      writeCommonHeaders(request, reply)
      sendRefusal(reply, refuse(new Failure('route_not_found')))
    },
  } satisfies FastifyHttpOptions<RawServerDefault, FastifyBaseLogger>
}

type ApiOptions = { redis: Redis | null; eventLoopDelayMsMax: number; refuse: Refuse }

async function mountApi(
  api: FastifyInstance,
  service: Service,
  { redis, eventLoopDelayMsMax, refuse }: ApiOptions,
): Promise<void> {
  const operationNameOf = operationNames(service)
  parseBodies(api)
  await throttle(api, {
    perMinute: service.settings.throttlePerMinute,
    redis,
    onRefused: request => service.metrics.throttled(operationNameOf(request)),
  })
  // The check is only below /v1, because an overloaded process is healthy and must not be restarted.
  await api.register(underPressure, {
    maxEventLoopDelay: eventLoopDelayMsMax,
    pressureHandler: (_request: FastifyRequest, reply: FastifyReply) => {
      const failure = new Failure('service_unavailable', {
        message: 'The service is overloaded; nothing was charged. Try again.',
        retryAfterSeconds: overloadRetryAfterSeconds,
      })
      sendRefusal(reply, refuse(failure))
    },
  })
  service.readiness.add(() => (api.isUnderPressure() ? 'the process is overloaded' : null))
  mountOperations(api, service)
  mountMcp(api, service, refuse)
  for (const [path, operations] of Map.groupBy(service.operations, each => each.path))
    refuseOtherMethods(api, routeOf(path), operations.flatMap(methodsOf))
  // Unknown paths count against the throttle, too.
  for (const url of ['/v1', '/v1/*'])
    api.all(url, async request => {
      throw noRoute(request)
    })
}

/** Escapes a path that cannot be decoded, so that it answers 404 like any unknown path. */
function decodable(url: string): string {
  const [path = ''] = url.split('?', 1)
  if (!path.includes('%')) return url
  try {
    decodeURIComponent(path)
    return url
  } catch {
    return path.replaceAll('%', '%25') + url.slice(path.length)
  }
}

function writeCommonHeaders(request: FastifyRequest, reply: FastifyReply): void {
  reply.header('x-request-id', request.id)
  reply.header('x-content-type-options', 'nosniff')
  reply.header('cache-control', 'private, no-store')
}

/** HTTP/1.1 requires a Host header (RFC 9112, section 3.2). */
function hasHost({ raw }: FastifyRequest): boolean {
  return raw.headers.host !== undefined || raw.httpVersion === '1.0'
}

function trustedProxies(
  trust: number | string[] | null,
): false | string[] | ((address: string, hop: number) => boolean) {
  if (trust === null) return false
  return typeof trust === 'number' ? (_address, hop) => hop < trust : trust
}

function operationNames({ operations }: Service): (request: FastifyRequest) => string {
  const names = new Map(
    operations.flatMap(each =>
      methodsOf(each).map(method => [`${method} ${routeOf(each.path)}`, each.name] as const),
    ),
  )
  return ({ method, routeOptions }) => names.get(`${method} ${routeOptions.url}`) ?? 'none'
}

function asClientFailure(error: { statusCode?: number; code?: string }): unknown {
  if (error.statusCode === 413)
    return new Failure('body_too_large', { details: { body_bytes_max: bodyBytesMax } })
  if (error.statusCode === 415) return new Failure('unsupported_media_type')
  if (error.statusCode === 400) return new Failure('invalid_json')
  return asFailure(error, { failures: [] })
}
