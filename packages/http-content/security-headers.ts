import helmet, { type FastifyHelmetOptions } from '@fastify/helmet'
import Fastify, { type FastifyInstance } from 'fastify'

type Sources = Record<string, string[]>

/** Registers Helmet for one scope, which allows only the given sources. HSTS is left to the proxy. */
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
    xFrameOptions: { action: 'deny' },
    referrerPolicy: { policy: referrer },
  }
  await scope.register(helmet, options)
}

/** Pages may load scripts and styles of this origin only, and post to it only. */
export const pagePolicy = {
  scriptSrc: ["'self'"],
  styleSrc: ["'self'"],
  imgSrc: ["'self'", 'data:'],
  connectSrc: ["'self'"],
  formAction: ["'self'"],
}

let reading: Promise<Record<string, string>> | null = null

/** Returns the security headers of a page that is sent outside the scope of pages, such as an error. */
export function pageHeaders(): Promise<Record<string, string>> {
  reading ??= readPageHeaders()
  return reading
}

/**
 * Reads the headers from a server that never listens, because Helmet only writes headers of its scope's
 * requests.
 */
async function readPageHeaders(): Promise<Record<string, string>> {
  const source = Fastify()
  await securityHeaders(source, pagePolicy, { referrer: 'same-origin' })
  source.get('/', async (_request, reply) => reply.code(204).send())
  const { headers } = await source.inject('/')
  await source.close()
  const { date: _, connection: __, ...rest } = headers
  return rest as Record<string, string>
}
