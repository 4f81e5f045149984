import type { FastifyRequest } from 'fastify'

/** A strong entity tag (RFC 9110 section 8.8.3). */
export const entityTag = (name: string) => `"${name}"`

/** Whether the client has these bytes (`If-None-Match`), so that the response is 304. */
export function isNotModified(request: FastifyRequest, name: string): boolean {
  const known = (request.headers['if-none-match'] ?? '')
    .split(',')
    .map(each => each.trim().replace(/^W\//, ''))
  return known.some(each => each === entityTag(name) || each === '*')
}

/** Whether `If-Range` is absent or names these bytes; a date does not. */
export function matchesIfRange(request: FastifyRequest, name: string): boolean {
  const meant = request.headers['if-range']
  return meant === undefined || meant === entityTag(name)
}
