import { createHash } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { chooseEncoding, encodedTag, encodeOnce, mayEncode } from './content-encoding.ts'
import { entityTag, isNotModified } from './entity-tag.ts'

export const jsonType = 'application/json; charset=utf-8'
export const htmlType = 'text/html; charset=utf-8'
export const markdownType = 'text/markdown; charset=utf-8'

export type StaticContent = (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>

/**
 * Sends content that never changes. It is made and compressed once, and answers 304 to a client that has
 * it.
 */
export function staticContent(
  make: () => string | Buffer,
  contentType: string,
  cacheControl: string,
): StaticContent {
  const prepare = () => {
    // All connections share these bytes, while a string would be copied for each.
    const content = Buffer.from(make())
    const digest = createHash('sha256').update(content).digest('hex').slice(0, 16)
    return { content, digest, encoded: encodeOnce(content) }
  }
  let made: ReturnType<typeof prepare> | undefined
  return async (request, reply) => {
    made ??= prepare()
    const { content, digest, encoded } = made
    const encoding = mayEncode(reply, content.length) ? chooseEncoding(request) : null
    const tag = encodedTag(digest, encoding)
    reply.header('cache-control', cacheControl).header('etag', entityTag(tag))
    if (isNotModified(request, tag, digest)) return reply.code(304).send()
    reply.type(contentType)
    if (encoding === null) return reply.send(content)
    return reply.header('content-encoding', encoding).send(await encoded(encoding))
  }
}
