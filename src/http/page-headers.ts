import Fastify from 'fastify'
import { securityHeaders } from './docs/security-headers.ts'
import { pagePolicy } from './sessions/prepare-pages.ts'

let reading: Promise<Record<string, string>> | null = null

/** Of a page that is sent outside the scope of pages, such as an error. */
export function pageHeaders(): Promise<Record<string, string>> {
  reading ??= readPageHeaders()
  return reading
}

/** Helmet only writes headers of its own scope's requests, so they are read from a server that never listens. */
async function readPageHeaders(): Promise<Record<string, string>> {
  const source = Fastify()
  await securityHeaders(source, pagePolicy, { referrer: 'same-origin' })
  source.get('/', async (_request, reply) => reply.code(204).send())
  const { headers } = await source.inject('/')
  await source.close()
  const { date: _, connection: __, ...rest } = headers
  return rest as Record<string, string>
}
