import type { FastifyRequest } from 'fastify'

/** Returns a strong entity tag (RFC 9110 section 8.8.3). */
export const entityTag = (name: string) => `"${name}"`

/**
 * Returns whether the client has this content under one of its names (`If-None-Match`), so that the
 * response is 304.
 */
export function isNotModified(request: FastifyRequest, ...names: readonly string[]): boolean {
  const known = (request.headers['if-none-match'] ?? '')
    .split(',')
    .map(each => each.trim().replace(/^W\//, ''))
  return known.some(each => each === '*' || names.some(name => each === entityTag(name)))
}

/** Returns whether `If-Range` is absent or names these bytes. A date never matches. */
export function matchesIfRange(request: FastifyRequest, name: string): boolean {
  const meant = request.headers['if-range']
  return meant === undefined || meant === entityTag(name)
}
