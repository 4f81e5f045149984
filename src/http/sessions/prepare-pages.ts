import cookie from '@fastify/cookie'
import type { FastifyInstance } from 'fastify'
import { securityHeaders } from '../docs/security-headers.ts'
import { parseForms } from './read-form.ts'

/** Pages load scripts and styles of this origin only, and post to it only. */
export const pagePolicy = {
  scriptSrc: ["'self'"],
  styleSrc: ["'self'"],
  imgSrc: ["'self'", 'data:'],
  connectSrc: ["'self'"],
  formAction: ["'self'"],
}

/** Cookies, forms and the security headers of pages, for one scope. */
export async function preparePages(scope: FastifyInstance): Promise<void> {
  await scope.register(cookie)
  await securityHeaders(scope, pagePolicy, { referrer: 'same-origin' })
  parseForms(scope)
}
