import { maxHeaderSize } from 'node:http'
import type { FastifyHttpOptions, FastifyInstance, RawServerDefault } from 'fastify'
import { Failure } from '../core/failure.ts'
import { randomBase62 } from '../core/ref.ts'
import type { Refused } from './answer/failures.ts'

const requestMsMaxDefault = 30_000
/** Node's default is 30 seconds, with which a slow request could take twice its time. */
const checkEveryMs = 1_000
const keepAliveTimeoutMs = 75_000
/**
 * A connection is closed after this time without a byte in either direction, so that unread responses do
 * not use memory. It exceeds the time of any response (§8: up to 300 s). With unsent data it may take
 * double.
 */
const silenceMsMaxDefault = 310_000
/** The time in which a client may read why it was refused. It could otherwise keep its end open for ever. */
const lingerMs = 1_000

export const requestIdLength = 16

export type ConnectionLimits = {
  /** The time from the first byte of a request to its last. */
  requestMsMax?: number
  silenceMsMax?: number
}

type ClientSocket = { writable: boolean; end(response: string): unknown; destroy(): unknown }

/** Sets the limits of connections, and answers bytes that Node could not parse as a request. */
export function connectionOptions(
  { requestMsMax = requestMsMaxDefault, silenceMsMax = silenceMsMaxDefault }: ConnectionLimits,
  refuse: (error: unknown) => Refused,
) {
  return {
    requestTimeout: requestMsMax,
    keepAliveTimeout: keepAliveTimeoutMs,
    connectionTimeout: silenceMsMax,
    http: {
      // Node's response to a request without Host is empty, and ours is an envelope.
      requireHostHeader: false,
      // Both timeouts are set, because a larger one for headers would replace that for the request.
      headersTimeout: requestMsMax,
      requestTimeout: requestMsMax,
      connectionsCheckingInterval: checkEveryMs,
    },
    clientErrorHandler: (error: { code?: string }, socket: ClientSocket) => {
      if (socket.writable) socket.end(rawBadRequest(refuse(unreadable(error, requestMsMax)).body))
      setTimeout(() => socket.destroy(), lingerMs).unref()
    },
  } satisfies FastifyHttpOptions<RawServerDefault>
}

/** Returns a whole HTTP response, because Fastify has no reply for a request that Node could not parse. */
function rawBadRequest(body: string): string {
  const head = [
    'HTTP/1.1 400 Bad Request',
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    `X-Request-Id: ${randomBase62(requestIdLength)}`,
    'Cache-Control: private, no-store',
    'Connection: close',
  ]
  return `${head.join('\r\n')}\r\n\r\n${body}`
}

function unreadable({ code }: { code?: string }, requestMsMax: number): Failure {
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') {
    const takes = `a whole request within ${requestMsMax / 1000} seconds`
    return new Failure('invalid_parameter', {
      message: `The request is not complete; send ${takes}.`,
      details: { parameter: null, takes },
    })
  }
  if (code === 'HPE_HEADER_OVERFLOW') {
    const takes = `a URL and headers of ${maxHeaderSize} bytes together`
    return new Failure('invalid_parameter', {
      message: `The request line and headers are too long; send ${takes} at most.`,
      details: { parameter: null, takes },
    })
  }
  if (code === 'HPE_INVALID_URL') {
    const takes = 'a URL of ASCII characters, everything else percent-encoded: b%C3%BCcher.example'
    return new Failure('invalid_parameter', {
      message: `The URL is invalid; send ${takes}.`,
      details: { parameter: null, takes },
    })
  }
  return new Failure('invalid_parameter', { message: 'The request is not valid HTTP.' })
}

const sweepEveryMs = 50

/**
 * Lets a closing server finish requests without waiting for the keep-alive timeout: responses say
 * `Connection: close`, and connections that become idle are closed every 50 ms.
 */
export function drainOnClose(app: FastifyInstance): void {
  let sweep: NodeJS.Timeout | undefined
  app.addHook('preClose', async () => {
    sweep = setInterval(() => app.server.closeIdleConnections(), sweepEveryMs)
  })
  app.addHook('onSend', (_request, reply, _payload, done) => {
    if (sweep !== undefined) reply.header('connection', 'close')
    done()
  })
  app.addHook('onClose', async () => clearInterval(sweep))
}
