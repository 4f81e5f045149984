import type { IncomingMessage } from 'node:http'
import { gunzipSync } from 'node:zlib'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { Failure } from '../../core/failure.ts'

/** Returns the parsed body, undefined if it is empty, or throws a failure if it is invalid. */
type ReceivedBody = () => unknown

/** Fails on bytes that are not UTF-8. Decoded to U+FFFD, they would make another filter. */
const utf8 = new TextDecoder('utf-8', { fatal: true })

/** Receives bodies up to their route's limit. `parsedBody` reports errors after route and key are checked. */
export function parseBodies(app: FastifyInstance): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', ({ raw, routeOptions }: FastifyRequest, payload: IncomingMessage) =>
    receive(payload, routeOptions.bodyLimit, isJson(raw) && isReadable(raw)),
  )
}

function receive(payload: IncomingMessage, bytesMax: number, isJson: boolean): Promise<ReceivedBody> {
  return new Promise(resolve => {
    const chunks: Buffer[] = []
    let bytes = 0
    payload.on('data', (chunk: Buffer) => {
      bytes += chunk.length
      // Further bytes are discarded. The server's request timeout bounds them.
      if (!isJson) resolve(refusing(new Failure('unsupported_media_type')))
      else if (bytes <= bytesMax) chunks.push(chunk)
      else resolve(refusing(tooLarge(bytesMax)))
    })
    const read = () => parse(unpacked(Buffer.concat(chunks), payload, bytesMax))
    payload.once('end', () => resolve(() => (bytes === 0 ? undefined : read())))
    payload.once('error', () => resolve(refusing(new Failure('invalid_json'))))
  })
}

const refusing =
  (failure: Failure): ReceivedBody =>
  () => {
    throw failure
  }

/** Returns undefined if no body was sent. */
export function parsedBody({ body }: FastifyRequest): unknown {
  return body === undefined ? undefined : (body as ReceivedBody)()
}

const readCharset = /^charset\s*=\s*"?(?:utf-?8|us-ascii)"?$/

/** Refuses two Content-Type headers, which may differ. `headers` has only the first one. */
function isJson({ headers, rawHeaders }: IncomingMessage): boolean {
  const sent = rawHeaders.filter((name, at) => at % 2 === 0 && name.toLowerCase() === 'content-type')
  const [mediaType, ...parameters] = (headers['content-type'] ?? '')
    .split(';')
    .map(part => part.trim().toLowerCase())
  const charsets = parameters.filter(parameter => parameter.startsWith('charset'))
  return (
    sent.length <= 1 && mediaType === 'application/json' && charsets.every(each => readCharset.test(each))
  )
}

const gzip = 'gzip'
const encodingOf = ({ headers }: IncomingMessage) => headers['content-encoding']?.toLowerCase() ?? ''
const isReadable = (message: IncomingMessage) => ['', 'identity', gzip].includes(encodingOf(message))

/** Unpacks a body after its caller was authenticated. The limit is that of the unpacked bytes, too. */
function unpacked(bytes: Buffer, message: IncomingMessage, bytesMax: number): Buffer {
  if (encodingOf(message) !== gzip) return bytes
  try {
    return gunzipSync(bytes, { maxOutputLength: bytesMax })
  } catch (error) {
    const isTooLarge = (error as { code?: string }).code === 'ERR_BUFFER_TOO_LARGE'
    throw isTooLarge ? tooLarge(bytesMax) : new Failure('invalid_json')
  }
}

const tooLarge = (bytesMax: number) =>
  new Failure('body_too_large', { details: { body_bytes_max: bytesMax } })

function parse(bytes: Buffer): unknown {
  try {
    return JSON.parse(utf8.decode(bytes))
  } catch {
    throw new Failure('invalid_json')
  }
}
