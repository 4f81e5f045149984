import type { IncomingMessage } from 'node:http'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { Failure } from '../core/failure.ts'

/** Returns the parsed body, or throws what is wrong with it. */
type ReceivedBody = () => unknown

const byteOrderMark = '\ufeff'

/** Receives bodies. `parsedBody` reports their errors, after route and key are checked. */
export function parseBodies(app: FastifyInstance, bytesMax: number): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', (request: FastifyRequest, payload: IncomingMessage) => {
    if (mediaTypeOf(request) === 'application/json') return receive(payload, bytesMax)
    // The body is discarded.
    payload.resume()
    return Promise.resolve(refusing(new Failure('unsupported_media_type')))
  })
}

function receive(payload: IncomingMessage, bytesMax: number): Promise<ReceivedBody> {
  return new Promise(resolve => {
    const chunks: Buffer[] = []
    let bytes = 0
    payload.on('data', (chunk: Buffer) => {
      bytes += chunk.length
      // The rest is discarded; the server's request timeout bounds it.
      if (bytes <= bytesMax) chunks.push(chunk)
      else resolve(refusing(new Failure('body_too_large', { details: { body_bytes_max: bytesMax } })))
    })
    payload.once('end', () => resolve(() => parse(Buffer.concat(chunks).toString())))
    payload.once('error', () => resolve(refusing(new Failure('invalid_json'))))
  })
}

const refusing =
  (failure: Failure): ReceivedBody =>
  () => {
    throw failure
  }

/** undefined: no body was sent. */
export function parsedBody({ body }: FastifyRequest): unknown {
  return body === undefined ? undefined : (body as ReceivedBody)()
}

function mediaTypeOf({ headers }: FastifyRequest): string | undefined {
  return headers['content-type']?.split(';')[0]?.trim().toLowerCase()
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text.startsWith(byteOrderMark) ? text.slice(1) : text)
  } catch {
    throw new Failure('invalid_json')
  }
}
