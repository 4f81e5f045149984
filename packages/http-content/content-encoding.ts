import { pipeline, type Readable } from 'node:stream'
import { promisify } from 'node:util'
import {
  type BrotliOptions,
  brotliCompress,
  brotliCompressSync,
  constants,
  createBrotliCompress,
  createGzip,
  gzip,
  gzipSync,
  type ZlibOptions,
} from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'

/** The preferred encoding is first: Brotli makes the smaller body in less time. */
const encodings = ['br', 'gzip'] as const
export type ContentEncoding = (typeof encodings)[number]

/** Shorter bodies are sent plain, because they fit into a few packets. */
const encodedFromBytes = 4_096

const compress = {
  br: promisify<Buffer, BrotliOptions, Buffer>(brotliCompress),
  gzip: promisify<Buffer, ZlibOptions, Buffer>(gzip),
}
const compressAtOnce = { br: brotliCompressSync, gzip: gzipSync }
/**
 * Up to this size compression runs at once (25 to 80 µs for 16 KB). A helper thread would take twice as
 * long.
 */
const atOnceBytesMax = 65_536
/** Higher levels save few bytes for much more work. The window bounds the memory of a request. */
const forOnce = {
  br: { params: { [constants.BROTLI_PARAM_QUALITY]: 3, [constants.BROTLI_PARAM_LGWIN]: 18 } },
  gzip: { level: 3 },
}
/** For bytes that are compressed once and sent often. */
const forGood = {
  br: { params: { [constants.BROTLI_PARAM_QUALITY]: 6, [constants.BROTLI_PARAM_LGWIN]: 22 } },
  gzip: { level: 9 },
}

/**
 * Returns the encoding that the client prefers, or null for no encoding (RFC 9110 section 12.5.3).
 * Compressed responses leak no secret (BREACH): no response has a key or a session, and responses to a
 * session go only to pages of this service.
 */
export function chooseEncoding({ headers }: Pick<FastifyRequest, 'headers'>): ContentEncoding | null {
  const accepted = headers['accept-encoding']
  if (accepted === undefined) return null
  const weights = new Map(String(accepted).split(',').map(readWeight))
  const weightOf = (name: string) => weights.get(name) ?? weights.get('*') ?? 0
  const best = Math.max(...encodings.map(weightOf))
  if (best === 0 || best < (weights.get('identity') ?? 0)) return null
  return encodings.find(name => weightOf(name) === best) ?? null
}

/** Reads `br;q=0.5` as `['br', 0.5]`. An unreadable weight counts as 0. */
function readWeight(text: string): [name: string, weight: number] {
  const [name = '', ...parameters] = text.split(';').map(part => part.trim().toLowerCase())
  const q = parameters.find(parameter => parameter.startsWith('q='))?.slice('q='.length)
  if (q === undefined) return [name, 1]
  return [name, /^(?:0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/.test(q) ? Number(q) : 0]
}

/** Returns whether a body of this size may be compressed, and if so sets `Vary` for caches. */
export function mayEncode(reply: FastifyReply, bytes: number): boolean {
  if (bytes < encodedFromBytes) return false
  const other = reply.getHeader('vary')
  reply.header('vary', other === undefined ? 'accept-encoding' : `${other}, accept-encoding`)
  return true
}

/** Encodes the body as the client prefers. */
export async function encodeBody(
  request: FastifyRequest,
  reply: FastifyReply,
  body: string | Buffer,
): Promise<string | Buffer> {
  const encoding = chooseEncoding(request)
  if (encoding === null) return body
  reply.header('content-encoding', encoding)
  const bytes = typeof body === 'string' ? Buffer.from(body) : body
  const isShort = bytes.length <= atOnceBytesMax
  return (isShort ? compressAtOnce : compress)[encoding](bytes, forOnce[encoding])
}

/** Compresses the body at most once for each encoding. */
export function encodeOnce(body: Buffer): (encoding: ContentEncoding) => Promise<Buffer> {
  const encoded = new Map<ContentEncoding, Promise<Buffer>>()
  return encoding => {
    const known = encoded.get(encoding) ?? compress[encoding](body, forGood[encoding])
    encoded.set(encoding, known)
    return known
  }
}

/** Compresses a stream; an error or an end of either ends both. */
export function encodeStream(content: Readable, encoding: ContentEncoding): Readable {
  const encoder = encoding === 'br' ? createBrotliCompress(forOnce.br) : createGzip(forOnce.gzip)
  pipeline(content, encoder, () => {
    // The encoder passes the error on to the response.
  })
  return encoder
}

/** Names each encoding differently, because different bytes have different entity tags. */
export const encodedTag = (tag: string, encoding: ContentEncoding | null): string =>
  encoding === null ? tag : `${tag}-${encoding}`
