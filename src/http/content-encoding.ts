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

/** In the order of preference: Brotli makes the smaller body in less time. */
const encodings = ['br', 'gzip'] as const
export type Encoding = (typeof encodings)[number]

/** Shorter bodies fit into a few packets anyway. */
const encodedFromBytes = 4_096

const compress = {
  br: promisify<Buffer, BrotliOptions, Buffer>(brotliCompress),
  gzip: promisify<Buffer, ZlibOptions, Buffer>(gzip),
}
const compressAtOnce = { br: brotliCompressSync, gzip: gzipSync }
/** A helper thread takes twice as long as this many bytes do (25 to 80 µs for 16 KB). */
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
 * The encoding that the client prefers, or null for none (RFC 9110 section 12.5.3). Compressed responses
 * leak no secret (BREACH): none has a key or a session, and those to a session go to its own pages only.
 */
export function chooseEncoding({ headers }: Pick<FastifyRequest, 'headers'>): Encoding | null {
  const accepted = headers['accept-encoding']
  if (accepted === undefined) return null
  const weights = new Map(String(accepted).split(',').map(readWeight))
  const weightOf = (name: string) => weights.get(name) ?? weights.get('*') ?? 0
  const best = Math.max(...encodings.map(weightOf))
  if (best === 0 || best < (weights.get('identity') ?? 0)) return null
  return encodings.find(name => weightOf(name) === best) ?? null
}

/** `br;q=0.5` → `['br', 0.5]`; an unreadable weight counts as 0. */
function readWeight(text: string): [name: string, weight: number] {
  const [name = '', ...parameters] = text.split(';').map(part => part.trim().toLowerCase())
  const q = parameters.find(parameter => parameter.startsWith('q='))?.slice('q='.length)
  if (q === undefined) return [name, 1]
  return [name, /^(?:0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/.test(q) ? Number(q) : 0]
}

/** Whether this much may be sent compressed. If so, `Vary` says it to caches. */
export function mayEncode(reply: FastifyReply, bytes: number): boolean {
  if (bytes < encodedFromBytes) return false
  const other = reply.getHeader('vary')
  reply.header('vary', other === undefined ? 'accept-encoding' : `${other}, accept-encoding`)
  return true
}

/** The body as the client asked for it. */
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

/** Compresses each encoding once. */
export function encodeOnce(body: Buffer): (encoding: Encoding) => Promise<Buffer> {
  const encoded = new Map<Encoding, Promise<Buffer>>()
  return encoding => {
    const known = encoded.get(encoding) ?? compress[encoding](body, forGood[encoding])
    encoded.set(encoding, known)
    return known
  }
}

/** Compresses a stream; an error or an end of either ends both. */
export function encodeStream(content: Readable, encoding: Encoding): Readable {
  const encoder = encoding === 'br' ? createBrotliCompress(forOnce.br) : createGzip(forOnce.gzip)
  pipeline(content, encoder, () => {
    // The error reaches the response through the encoder.
  })
  return encoder
}

/** Different bytes have different entity tags. */
export const encodedTag = (tag: string, encoding: Encoding | null): string =>
  encoding === null ? tag : `${tag}-${encoding}`
