import helmet, { type FastifyHelmetOptions } from '@fastify/helmet'
import type { FastifyInstance } from 'fastify'

type Sources = Record<string, string[]>

/** Helmet for one scope: only the given sources are allowed. HSTS is left to the proxy. */
export async function securityHeaders(
  scope: FastifyInstance,
  sources: Sources,
  { referrer = 'no-referrer' }: { referrer?: 'no-referrer' | 'same-origin' } = {},
): Promise<void> {
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
    referrerPolicy: { policy: referrer },
  }
  await scope.register(helmet, options)
}
