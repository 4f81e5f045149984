import type { ByteRange, StoredFile } from '@baize/files'
import type { FastifyReply, FastifyRequest } from 'fastify'
import parseRange from 'range-parser'
import { entityTag, isNotModified, matchesIfRange } from './entity-tag.ts'

export type FileAnswer = StoredFile & {
  fileName: string
  contentType: string
  /** Has letters, digits and dashes, and differs for different bytes. */
  etag: string
}

/**
 * Sends a file as an attachment: whole, one range, or 304 (RFC 9110 sections 13 and 14). A request for
 * several ranges gets the whole file, and HEAD gets the headers of the whole. It is never compressed,
 * because the ETag and the length are those of the file. Returns the status.
 */
export async function sendFile(
  request: FastifyRequest,
  reply: FastifyReply,
  file: FileAnswer,
): Promise<number> {
  const etag = entityTag(file.etag)
  if (isNotModified(request, file.etag)) return sendEmpty(reply.header('etag', etag), 304)
  const range = request.method === 'GET' ? rangeOf(request, file) : null
  const isSent = request.method === 'GET' && range !== 'none'
  // The file is opened before any header is set, because an error must not get its name and ETag.
  const content = isSent ? await file.open(range ?? undefined) : undefined
  reply
    .header('etag', etag)
    .header('content-type', file.contentType)
    .header('content-disposition', attachment(file.fileName))
    .header('accept-ranges', 'bytes')
  if (range === 'none') return sendEmpty(reply.header('content-range', `bytes */${file.bytes}`), 416)
  if (range === null) {
    reply.header('content-length', file.bytes).send(content)
    return 200
  }
  const { start, end } = range
  reply
    .code(206)
    .header('content-range', `bytes ${start}-${end}/${file.bytes}`)
    .header('content-length', end - start + 1)
    .send(content)
  return 206
}

function sendEmpty(reply: FastifyReply, status: number): number {
  reply.code(status).send()
  return status
}

/** Returns null for the whole file, and `none` if the file has no such bytes. */
function rangeOf(request: FastifyRequest, file: FileAnswer): ByteRange | 'none' | null {
  const header = request.headers.range
  if (header === undefined || !matchesIfRange(request, file.etag)) return null
  const ranges = parseRange(file.bytes, header)
  if (ranges === -1) return 'none'
  return Array.isArray(ranges) && ranges.type === 'bytes' && ranges.length === 1 ? (ranges[0] ?? null) : null
}

export function attachment(fileName: string): string {
  return `attachment; filename="${fileName.replaceAll(/[^A-Za-z0-9._-]/g, '_')}"`
}
