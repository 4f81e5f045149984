import type { IncomingMessage } from 'node:http'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { Failure } from '../core/failure.ts'

/** Gives the value that was sent, or throws what is wrong with it. */
type TakenBody = () => unknown

const byteOrderMark = '\ufeff'

/**
 * A body comes before it is known who sends it and where to. So nothing is said of it when it comes: whoever has a use for it
 * asks (`parsedBody`), after the path, the method and the key were found to be right.
 */
export function parseBodies(app: FastifyInstance, bytesMax: number): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', (request: FastifyRequest, payload: IncomingMessage) => {
    if (mediaTypeOf(request) === 'application/json') return taken(payload, bytesMax)
    // What nobody takes is thrown away.
    payload.resume()
    return Promise.resolve(refusing(new Failure('unsupported_media_type')))
  })
}

function taken(payload: IncomingMessage, bytesMax: number): Promise<TakenBody> {
  return new Promise(resolve => {
    const chunks: Buffer[] = []
    let bytes = 0
    payload.on('data', (chunk: Buffer) => {
      bytes += chunk.length
      // The rest of what is too long is read and thrown away, for as long as the server waits for a request.
      if (bytes <= bytesMax) chunks.push(chunk)
      else resolve(refusing(new Failure('body_too_large', { details: { body_bytes_max: bytesMax } })))
    })
    payload.once('end', () => resolve(() => parse(Buffer.concat(chunks).toString())))
    payload.once('error', () => resolve(refusing(new Failure('invalid_json'))))
  })
}

const refusing =
  (failure: Failure): TakenBody =>
  () => {
    throw failure
  }

/** undefined: nothing was sent. */
export function parsedBody({ body }: FastifyRequest): unknown {
  return body === undefined ? undefined : (body as TakenBody)()
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
