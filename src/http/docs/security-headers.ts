import helmet, { type FastifyHelmetOptions } from '@fastify/helmet'
import type { FastifyInstance } from 'fastify'

type Sources = Record<string, string[]>

/**
 * Helmet for the pages of one scope; the routes of the API do not get them. Everything is closed but what the page
 * says it needs. Whether TLS is used is for the proxy in front to say, so nothing here demands it.
 */
export async function securityHeaders(scope: FastifyInstance, sources: Sources): Promise<void> {
  const options: FastifyHelmetOptions = {
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'none'"],
        baseUri: ["'none'"],
        formAction: ["'none'"],
        frameAncestors: ["'none'"],
        ...sources,
      },
    },
    strictTransportSecurity: false,
  }
  await scope.register(helmet, options)
}
