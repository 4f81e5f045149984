import type { FastifyRequest } from 'fastify'

/** A strong entity tag (RFC 9110 section 8.8.3), as `ETag` has it. */
export const entityTag = (name: string) => `"${name}"`

/** Whether whoever asks has these very bytes already, and is answered 304. */
export function isNotModified(request: FastifyRequest, name: string): boolean {
  const known = (request.headers['if-none-match'] ?? '')
    .split(',')
    .map(each => each.trim().replace(/^W\//, ''))
  return known.some(each => each === entityTag(name) || each === '*')
}

/** Whether a range is asked of these very bytes: `If-Range` names them, or is not there. A date names none. */
export function matchesIfRange(request: FastifyRequest, name: string): boolean {
  const meant = request.headers['if-range']
  return meant === undefined || meant === entityTag(name)
}
