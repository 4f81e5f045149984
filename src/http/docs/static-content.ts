import { createHash } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { chooseEncoding, encodedTag, encodeOnce, mayEncode } from '../content-encoding.ts'
import { entityTag, isNotModified } from '../entity-tag.ts'

export const jsonType = 'application/json; charset=utf-8'
export const htmlType = 'text/html; charset=utf-8'
export const markdownType = 'text/markdown; charset=utf-8'

export type StaticContent = (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>

/** Sends content that never changes: compressed once, or 304 to a client that has it. */
export function staticContent(
  text: string | Buffer,
  contentType: string,
  cacheControl: string,
): StaticContent {
  // Bytes are shared by all connections; each would copy a string.
  const content = Buffer.from(text)
  const digest = createHash('sha256').update(content).digest('hex').slice(0, 16)
  const encoded = encodeOnce(content)
  return async (request, reply) => {
    const encoding = mayEncode(reply, content.length) ? chooseEncoding(request) : null
    const tag = encodedTag(digest, encoding)
    reply.header('cache-control', cacheControl).header('etag', entityTag(tag))
    if (isNotModified(request, tag, digest)) return reply.code(304).send()
    reply.type(contentType)
    if (encoding === null) return reply.send(content)
    return reply.header('content-encoding', encoding).send(await encoded(encoding))
  }
}
