import { pagePolicy, securityHeaders } from '@baize/http-content'
import cookie from '@fastify/cookie'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { Failure } from '../../core/failure.ts'
import { nextPath } from '../../features/sessions/index.ts'
import type { RawQuery } from '../read/read-parameters.ts'

/** Prepares cookies, forms and the security headers of pages, for one scope. */
export async function preparePages(scope: FastifyInstance): Promise<void> {
  await scope.register(cookie)
  await securityHeaders(scope, pagePolicy, { referrer: 'same-origin' })
  parseForms(scope)
}

const formBytesMax = 256 * 1024
const uploadBytesMax = 20 * 1024 * 1024 + formBytesMax

/** Parses forms of pages without empty fields, because a browser sends every field of a form. */
function parseForms(app: FastifyInstance): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string', bodyLimit: formBytesMax },
    (_request, body, done) => {
      const sent = [...new URLSearchParams(String(body))]
      done(null, queryFromFields(sent.filter(([, text]) => text !== '')))
    },
  )
}

/** Parses forms with a file, whose field has its bytes as base64. */
export function parseUploads(app: FastifyInstance): void {
  app.addContentTypeParser(
    'multipart/form-data',
    { parseAs: 'buffer', bodyLimit: uploadBytesMax },
    async ({ headers }: FastifyRequest, body: Buffer) => {
      const type = { 'content-type': String(headers['content-type']) }
      const sent = await new Response(new Uint8Array(body), { headers: type }).formData().catch(() => null)
      if (sent === null) throw new Failure('unsupported_media_type')
      const fields: [string, string][] = []
      for (const [name, value] of sent.entries()) {
        const text =
          typeof value === 'string' ? value : Buffer.from(await value.arrayBuffer()).toString('base64')
        if (text !== '') fields.push([name, text])
      }
      return queryFromFields(fields)
    },
  )
}

/** Returns the fields of a form by name. A name that is sent twice has a list. */
export function queryFromFields(sent: Iterable<[name: string, text: string]>): RawQuery {
  const texts = Map.groupBy(sent, ([name]) => name)
  return Object.fromEntries(
    [...texts].map(([name, pairs]) => {
      const [first, ...others] = pairs.map(([, text]) => text)
      return [name, others.length === 0 ? first : [first as string, ...others]]
    }),
  )
}

/** Refuses a POST from a page of another site, by fetch metadata or, for older browsers, by `Origin`. */
export function requireOwnPage(request: FastifyRequest, baseUrl: string): void {
  if (request.method === 'GET' || request.method === 'HEAD') return
  const { 'sec-fetch-site': site, origin } = request.headers
  const isOwn = site === undefined ? origin === new URL(baseUrl).origin : site === 'same-origin'
  if (!isOwn) throw new Failure('forged_request')
}

/** Returns the next page of the dashboard, which a field of the form or the query names. */
export function nextOf({ body, query }: FastifyRequest): string | null {
  const sent = (body as { next?: unknown } | undefined)?.next
  return nextPath(sent ?? (query as { next?: unknown }).next)
}
