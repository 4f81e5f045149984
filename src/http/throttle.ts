import rateLimit from '@fastify/rate-limit'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Redis } from 'ioredis'

const windowMs = 60_000
const windowSeconds = windowMs / 1000

export const throttledError = 'Rate limit exceeded'

type ThrottledBody = { error: string; message: string; retry_after: number }

/** The body of a throttle's 429 (§2.1), which is not an envelope. */
export function throttledBody(allowed: string, retryAfterSeconds: number): ThrottledBody {
  return {
    error: throttledError,
    message: `${allowed}; wait ${retryAfterSeconds} seconds.`,
    retry_after: retryAfterSeconds,
  }
}

class Throttled extends Error {
  readonly statusCode = 429
  readonly body: ThrottledBody

  constructor(retryAfterSeconds: number, max: number) {
    super(throttledError)
    this.body = throttledBody(`${max} requests per minute and IP address are allowed`, retryAfterSeconds)
  }
}

export function throttleBody(error: unknown): ThrottledBody | null {
  return error instanceof Throttled ? error.body : null
}

export type ThrottleOptions = {
  /** 0: no throttle. */
  perMinute: number
  redis: Redis | null
  onRefused: (request: FastifyRequest) => void
}

/**
 * The per-IP throttle of §8: a fixed window of a minute, counted in memory, or in Redis for several
 * processes. While Redis is down, requests are let through.
 */
export async function throttle(
  app: FastifyInstance,
  { perMinute, redis, onRefused }: ThrottleOptions,
): Promise<void> {
  if (perMinute === 0) return
  await app.register(rateLimit, {
    global: true,
    max: perMinute,
    timeWindow: windowMs,
    skipOnError: true,
    onExceeded: onRefused,
    ...(redis === null ? {} : { redis, nameSpace: 'baize-throttle-' }),
    errorResponseBuilder: (_request, context) =>
      new Throttled(Math.max(1, Math.ceil(context.ttl / 1000)), context.max),
  })
  const policy = `"ip";q=${perMinute};w=${windowSeconds}`
  app.addHook('onSend', (_request, reply, _payload, done) => {
    writeDraftHeaders(reply, policy)
    done()
  })
}

/** The headers of the IETF draft, in addition to the X- headers of §7 rule 2. */
function writeDraftHeaders(reply: FastifyReply, policy: string): void {
  const remaining = reply.getHeader('x-ratelimit-remaining')
  if (remaining === undefined) return
  reply.header('ratelimit-policy', policy)
  reply.header('ratelimit', `"ip";r=${remaining};t=${reply.getHeader('x-ratelimit-reset')}`)
}
