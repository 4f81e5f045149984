import { createHash } from 'node:crypto'
import rateLimit, { normalizeIP } from '@fastify/rate-limit'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Redis } from 'ioredis'
import { throttledBody } from '../throttle.ts'

const windowMs = 60_000
/** Enough for an office behind one address, and for somebody who presses the button again. */
const perIp = 30
const perAddress = 5

export type TooMany = { allowed: string; max: number; waitSeconds: number }

/** Sets status and headers of the refusal; returns its body for clients that are no browsers. */
export function refuseTooMany(reply: FastifyReply, { allowed, max, waitSeconds }: TooMany) {
  reply.code(429).headers({
    'retry-after': String(waitSeconds),
    'x-ratelimit-limit': String(max),
    'x-ratelimit-remaining': '0',
    'x-ratelimit-reset': String(waitSeconds),
  })
  return throttledBody(allowed, waitSeconds)
}

export type CountSignIn = {
  /** Counts a request for a link or passkey; not null: it is refused. */
  byIp(request: FastifyRequest): Promise<TooMany | null>
  /** Counts a request for a mail to the address; false: it has got enough of them. */
  mayMail(request: FastifyRequest, email: string): Promise<boolean>
}

/**
 * Sign-in posts per minute, per IP address and per e-mail address, whether or not a user has it. With Redis
 * all processes count together; while it is down, nothing is refused.
 */
export async function signInThrottle(
  scope: FastifyInstance,
  { perMinute, redis }: { perMinute: number; redis: Redis | null },
): Promise<CountSignIn> {
  if (perMinute === 0) return { byIp: async () => null, mayMail: async () => true }
  await scope.register(rateLimit, {
    global: false,
    skipOnError: true,
    ...(redis === null ? {} : { redis, nameSpace: 'baize-sign-in-' }),
  })
  const countIps = scope.createRateLimit({
    max: Math.min(perIp, perMinute),
    timeWindow: windowMs,
    keyGenerator: request => `ip ${normalizeIP(request.ip)}`,
  })
  const emails = new WeakMap<FastifyRequest, string>()
  const countAddresses = scope.createRateLimit({
    max: Math.min(perAddress, perMinute),
    timeWindow: windowMs,
    keyGenerator: request => `address ${emails.get(request)}`,
  })
  return {
    async byIp(request) {
      const count = await countIps(request)
      if (count.isAllowed || !count.isExceeded) return null
      return {
        allowed: `${count.max} sign-ins per minute and IP address are allowed`,
        max: count.max,
        waitSeconds: Math.max(1, count.ttlInSeconds),
      }
    },
    async mayMail(request, email) {
      emails.set(request, createHash('sha256').update(email).digest('hex'))
      const count = await countAddresses(request)
      return count.isAllowed || !count.isExceeded
    },
  }
}
