import { METHODS, maxHeaderSize } from 'node:http'
import underPressure from '@fastify/under-pressure'
import Fastify, {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  LogController,
} from 'fastify'
import type { Redis } from 'ioredis'
import { Failure } from '../core/failure.ts'
import { randomBase62 } from '../core/ref.ts'
import { mountDocs } from './docs.ts'
import { drainOnClose } from './drain.ts'
import { refusal, sendRefusal } from './failures.ts'
import { mountHealth } from './health.ts'
import { mountImages } from './images.ts'
import { methodsOf, mountOperations, routeOf } from './mount.ts'
import { parseBodies } from './parse-bodies.ts'
import { mountProspectListRequests } from './prospect-list-requests.ts'
import type { Service } from './service.ts'
import { throttle, throttleBody } from './throttle.ts'

const bodyBytesMax = 64 * 1024
const requestTimeoutMs = 30_000
const keepAliveTimeoutMs = 75_000
/**
 * For this long a connection may pass no byte either way, so that nobody makes the service hold answers that are never read.
 * Longer than any answer takes: a client waits 300 seconds for one that has to ask others (§8). Where something is unsent Node
 * looks twice, so that it may be double.
 */
const silenceMsMaxDefault = 310_000
const eventLoopDelayMsMaxDefault = 1_000
const overloadRetryAfterSeconds = 5
const requestIdPattern = /^[A-Za-z0-9_-]{8,64}$/
const requestIdLength = 16

export type ServerOptions = {
  redis?: Redis | null
  silenceMsMax?: number
  /** Above it requests are refused; 0: never. */
  eventLoopDelayMsMax?: number
}

/** The HTTP face of a service: everything about the protocol, and no rule of any operation. */
export async function buildServer(
  service: Service,
  {
    redis = null,
    silenceMsMax = silenceMsMaxDefault,
    eventLoopDelayMsMax = eventLoopDelayMsMaxDefault,
  }: ServerOptions = {},
): Promise<FastifyInstance> {
  const { settings } = service
  const refuse = (error: unknown) => refusal(error, settings.baseUrl, service.now().toISOString())
  const app = Fastify({
    loggerInstance: service.log as FastifyBaseLogger,
    // Requests are counted, and paid ones have usage records; a line each in the log would cost more than a verdict.
    logController: new LogController({ disableRequestLogging: true }),
    childLoggerFactory: logger => logger,
    bodyLimit: bodyBytesMax,
    // Node's own refusal of a request without a host is empty; ours is an envelope.
    http: { requireHostHeader: false },
    // `__proto__` and `constructor` are members like any other: unknown ones, which are refused or left out.
    onProtoPoisoning: 'ignore',
    onConstructorPoisoning: 'ignore',
    requestTimeout: requestTimeoutMs,
    keepAliveTimeout: keepAliveTimeoutMs,
    connectionTimeout: silenceMsMax,
    forceCloseConnections: 'idle',
    // What still comes on an open connection is answered; Fastify's own refusal would not be an envelope.
    return503OnClosing: false,
    trustProxy: trustedProxies(settings.trustProxy),
    requestIdHeader: false,
    genReqId: request => {
      const given = request.headers['x-request-id']
      return typeof given === 'string' && requestIdPattern.test(given) ? given : randomBase62(requestIdLength)
    },
    routerOptions: { ignoreTrailingSlash: false, caseSensitive: true },
    rewriteUrl: request => decodable(request.url ?? '/'),
    // What Fastify refuses before any hook: what every answer carries is written here.
    frameworkErrors: (_error, request, reply) => {
      writeCommonHeaders(request, reply)
      sendRefusal(reply, refuse(new Failure('route_not_found')))
    },
    clientErrorHandler: (error: { code?: string }, socket) => {
      const { body } = refuse(unreadable(error))
      if (socket.writable) {
        socket.end(
          `HTTP/1.1 400 Bad Request\r\nContent-Type: application/json; charset=utf-8\r\n` +
            `Content-Length: ${Buffer.byteLength(body)}\r\nX-Request-Id: ${randomBase62(requestIdLength)}\r\n` +
            `Cache-Control: private, no-store\r\nConnection: close\r\n\r\n${body}`,
        )
      }
    },
  })

  for (const method of METHODS)
    if (!app.supportedMethods.includes(method) && method !== 'CONNECT') app.addHttpMethod(method)
  drainOnClose(app)
  // Node would answer an expectation that it does not know with an empty 417; as HTTP allows, it is passed over.
  app.server.on('checkExpectation', (request, response) => app.server.emit('request', request, response))
  app.addHook('onRequest', (request, reply, done) => {
    writeCommonHeaders(request, reply)
    if (namesItsHost(request)) return done()
    reply.header('connection', 'close')
    done(new Failure('invalid_parameter', { message: 'A request of HTTP/1.1 takes a Host header.' }))
  })

  app.setErrorHandler((error: { statusCode?: number; code?: string }, request, reply) => {
    const throttled = throttleBody(error)
    if (throttled !== null) return reply.code(429).send(throttled)
    const failure = asClientFailure(error)
    if (!(failure instanceof Failure))
      service.log.error({ err: error, request_id: request.id }, 'request failed')
    return sendRefusal(reply, refuse(failure))
  })

  mountHealth(app, service)
  await mountDocs(app, service)
  await mountImages(app, service)
  await mountProspectListRequests(app, service, redis)
  await app.register(async api => {
    const nameOf = operationNames(service)
    parseBodies(api, bodyBytesMax)
    await throttle(api, {
      perMinute: settings.throttlePerMinute,
      redis,
      onRefused: request => service.metrics.throttled(nameOf(request)),
    })
    // Below /v1 alone: an overloaded process is still healthy, and must not be killed for it.
    await api.register(underPressure, {
      maxEventLoopDelay: eventLoopDelayMsMax,
      pressureHandler: (_request, reply) => {
        const failure = new Failure('service_unavailable', {
          message: 'The service is overloaded; nothing was charged. Try again.',
          retryAfterSeconds: overloadRetryAfterSeconds,
        })
        sendRefusal(reply, refuse(failure))
      },
    })
    mountOperations(api, service)
    refuseOtherMethods(api, service)
    // Below /v1 a wrong path counts against the throttle like a right one.
    api.all('/v1', async () => {
      throw new Failure('route_not_found')
    })
    api.all('/v1/*', async () => {
      throw new Failure('route_not_found')
    })
  })
  app.setNotFoundHandler((_request, reply) => sendRefusal(reply, refuse(new Failure('route_not_found'))))
  return app
}

/** A path that does not decode names nothing: escaped once more it takes the way of every path that there is not. */
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

/** Why Node could not read a request. */
function unreadable({ code }: { code?: string }): Failure {
  if (code === 'HPE_HEADER_OVERFLOW') {
    const takes = `a URL and headers of ${maxHeaderSize} bytes together`
    return new Failure('invalid_parameter', {
      message: `The request line and headers are too long: what is taken is ${takes}.`,
      details: { parameter: null, takes },
    })
  }
  if (code === 'HPE_INVALID_URL') {
    const takes = 'a URL of ASCII characters, everything else percent-encoded: b%C3%BCcher.example'
    return new Failure('invalid_parameter', {
      message: `The URL cannot be read; send ${takes}.`,
      details: { parameter: null, takes },
    })
  }
  return new Failure('invalid_parameter', { message: 'That is not a valid HTTP request.' })
}

function writeCommonHeaders(request: FastifyRequest, reply: FastifyReply): void {
  reply.header('x-request-id', request.id)
  reply.header('x-content-type-options', 'nosniff')
  reply.header('cache-control', 'private, no-store')
}

/** Whether it has the one header that HTTP/1.1 demands (RFC 9112, section 3.2). */
function namesItsHost({ raw }: FastifyRequest): boolean {
  return raw.headers.host !== undefined || raw.httpVersion === '1.0'
}

/** Addresses as they are; a number of hops counts from our own socket. */
function trustedProxies(
  trust: number | string[] | null,
): false | string[] | ((address: string, hop: number) => boolean) {
  if (trust === null) return false
  return typeof trust === 'number' ? (_address, hop) => hop < trust : trust
}

/** What a request asks for, also one that no operation takes. */
function operationNames({ operations }: Service): (request: FastifyRequest) => string {
  const names = new Map(
    operations.flatMap(each =>
      methodsOf(each).map(method => [`${method} ${routeOf(each.path)}`, each.name] as const),
    ),
  )
  return ({ method, routeOptions }) => names.get(`${method} ${routeOptions.url}`) ?? 'none'
}

/** 405 with `Allow` for the methods that a path does not take. */
function refuseOtherMethods(api: FastifyInstance, service: Service): void {
  const taken = Map.groupBy(service.operations, operation => operation.path)
  for (const [path, operations] of taken) {
    const allowed: string[] = operations.flatMap(methodsOf)
    api.route({
      method: api.supportedMethods.filter(method => !allowed.includes(method)),
      url: routeOf(path),
      handler: async (_request, reply) => {
        reply.header('allow', allowed.join(', '))
        throw new Failure('method_not_allowed', { details: { allowed } })
      },
    })
  }
}

/** What Fastify itself refuses, in our words; anything else stays what it is and reads as an internal error. */
function asClientFailure(error: { statusCode?: number; code?: string }): unknown {
  if (error.statusCode === 413)
    return new Failure('body_too_large', { details: { body_bytes_max: bodyBytesMax } })
  if (error.statusCode === 415) return new Failure('unsupported_media_type')
  if (error.statusCode === 400) return new Failure('invalid_json')
  return error
}
