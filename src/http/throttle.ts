import { counted, plural } from '@baize/names'
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
    message: `${allowed}; wait ${counted(retryAfterSeconds, 'second')}.`,
    retry_after: retryAfterSeconds,
  }
}

export type TooMany = { allowed: string; max: number; waitSeconds: number }

/** Sets status and headers of a throttle's refusal, and returns its body. */
export function refuseTooMany(reply: FastifyReply, { allowed, max, waitSeconds }: TooMany): ThrottledBody {
  reply.code(429).headers({
    'retry-after': String(waitSeconds),
    'x-ratelimit-limit': String(max),
    'x-ratelimit-remaining': '0',
    'x-ratelimit-reset': String(waitSeconds),
  })
  return throttledBody(allowed, waitSeconds)
}

/**
 * Lets the routes of a scope count requests. With Redis all processes count together; while it is down,
 * nothing is refused.
 */
export async function prepareCounters(
  scope: FastifyInstance,
  redis: Redis | null,
  nameSpace: string,
): Promise<void> {
  await scope.register(rateLimit, {
    global: false,
    skipOnError: true,
    ...(redis === null ? {} : { redis, nameSpace }),
  })
}

type Count = Awaited<ReturnType<ReturnType<FastifyInstance['createRateLimit']>>>

/** Returns null if the request is allowed. */
export const exceeded = (count: Count): Omit<TooMany, 'allowed'> | null =>
  count.isAllowed || !count.isExceeded
    ? null
    : { max: count.max, waitSeconds: Math.max(1, count.ttlInSeconds) }

class Throttled extends Error {
  readonly statusCode = 429
  readonly body: ThrottledBody

  constructor(retryAfterSeconds: number, max: number) {
    super(throttledError)
    this.body = throttledBody(
      `${counted(max, 'request')} per minute and IP address ${plural(max, 'is', 'are')} allowed`,
      retryAfterSeconds,
    )
  }
}

export function throttleBody(error: unknown): ThrottledBody | null {
  return error instanceof Throttled ? error.body : null
}

export type ThrottleOptions = {
  /** The accepted requests per minute; 0 turns the throttle off. */
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

/** Writes the headers of the IETF draft, in addition to the X- headers of §7 rule 2. */
function writeDraftHeaders(reply: FastifyReply, policy: string): void {
  const remaining = reply.getHeader('x-ratelimit-remaining')
  if (remaining === undefined) return
  reply.header('ratelimit-policy', policy)
  reply.header('ratelimit', `"ip";r=${remaining};t=${reply.getHeader('x-ratelimit-reset')}`)
}
