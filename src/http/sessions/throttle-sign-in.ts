import { createHash } from 'node:crypto'
import { normalizeIP } from '@fastify/rate-limit'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Redis } from 'ioredis'
import { exceeded, prepareCounters, type TooMany } from '../throttle.ts'

const windowMs = 60_000
/** Allows an office behind one address, and a user who presses the button again. */
const perIp = 30
const perAddress = 5

export type CountSignIn = {
  /** Counts a request for a link or passkey. The request is refused unless the result is null. */
  byIp(request: FastifyRequest): Promise<TooMany | null>
  /** Counts a request for a mail to the address. Returns false when the address got too many. */
  mayMail(request: FastifyRequest, email: string): Promise<boolean>
}

/** Counts sign-in posts per minute, per IP address and per e-mail address, whether or not a user has it. */
export async function signInThrottle(
  scope: FastifyInstance,
  { perMinute, redis }: { perMinute: number; redis: Redis | null },
): Promise<CountSignIn> {
  if (perMinute === 0) return { byIp: async () => null, mayMail: async () => true }
  await prepareCounters(scope, redis, 'baize-sign-in-')
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
      const full = exceeded(await countIps(request))
      if (full === null) return null
      return { ...full, allowed: `${full.max} sign-ins per minute and IP address are allowed` }
    },
    async mayMail(request, email) {
      emails.set(request, createHash('sha256').update(email).digest('hex'))
      return exceeded(await countAddresses(request)) === null
    },
  }
}
