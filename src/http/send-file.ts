import type { FastifyReply, FastifyRequest } from 'fastify'
import parseRange from 'range-parser'
import type { FileAnswer } from '../core/operation.ts'

/**
 * Sends a file as an attachment, whole or the one range that was asked for (RFC 9110 section 14); several ranges at once are
 * answered with the whole. Tells the status.
 */
export async function sendFile(
  request: FastifyRequest,
  reply: FastifyReply,
  file: FileAnswer,
): Promise<number> {
  reply
    .header('content-type', file.contentType)
    .header('content-disposition', attachment(file.fileName))
    .header('accept-ranges', 'bytes')
  const asked = request.headers.range
  const ranges = asked === undefined ? null : parseRange(file.bytes, asked)
  if (ranges === -1) {
    reply.code(416).header('content-range', `bytes */${file.bytes}`).send('')
    return 416
  }
  const range =
    Array.isArray(ranges) && ranges.type === 'bytes' && ranges.length === 1 ? ranges[0] : undefined
  if (range === undefined) {
    reply.header('content-length', file.bytes).send(await file.open())
    return 200
  }
  const { start, end } = range
  reply
    .code(206)
    .header('content-range', `bytes ${start}-${end}/${file.bytes}`)
    .header('content-length', end - start + 1)
    .send(await file.open({ start, end }))
  return 206
}

/** Names are made by us: letters, digits, dots, dashes and underscores. */
function attachment(fileName: string): string {
  return `attachment; filename="${fileName.replaceAll(/[^A-Za-z0-9._-]/g, '_')}"`
}
