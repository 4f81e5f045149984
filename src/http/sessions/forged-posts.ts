import type { FastifyRequest } from 'fastify'
import { Failure } from '../../core/failure.ts'

/** Refuses a POST that another site's page sent: by fetch metadata, for older browsers by `Origin`. */
export function requireOwnPage(request: FastifyRequest, baseUrl: string): void {
  if (request.method === 'GET' || request.method === 'HEAD') return
  const { 'sec-fetch-site': site, origin } = request.headers
  const isOwn = site === undefined ? origin === new URL(baseUrl).origin : site === 'same-origin'
  if (!isOwn) throw new Failure('forged_request')
}
