import type { Duplex, Readable } from 'node:stream'
import { pipeline } from 'node:stream'
import { createBrotliDecompress, createGunzip } from 'node:zlib'
import { OutboundError } from './outbound-error.ts'

/** What is asked for; another encoding in an answer is refused rather than stored. */
export const acceptedEncodings = 'gzip, br'

const unpackers: Record<string, () => Duplex> = {
  gzip: createGunzip,
  'x-gzip': createGunzip,
  br: createBrotliDecompress,
}

/**
 * The body of an answer, unpacked a piece at a time. Both what comes over the wire and what it unpacks to are bounded:
 * a bomb is stopped when it passes the bound, having cost no more than that.
 */
export async function* unpackBody(
  body: Readable,
  encoding: string | null,
  bytesMax: number,
): AsyncGenerator<Uint8Array, void> {
  const wire = bounded(body, bytesMax)
  const name = encoding?.trim().toLowerCase() ?? ''
  if (name === '' || name === 'identity') return yield* wire
  const unpacker = unpackers[name]
  if (unpacker === undefined) {
    body.destroy()
    throw new OutboundError(
      'unknown_encoding',
      `the answer is packed as "${encoding}", which was not asked for`,
    )
  }
  // The errors of all its parts reach whoever reads the last one.
  yield* bounded(
    pipeline(wire, unpacker(), () => {}),
    bytesMax,
  )
}

async function* bounded(
  chunks: AsyncIterable<Uint8Array>,
  bytesMax: number,
): AsyncGenerator<Uint8Array, void> {
  let bytes = 0
  for await (const chunk of chunks) {
    bytes += chunk.byteLength
    if (bytes > bytesMax) throw new OutboundError('too_large', `the answer is larger than ${bytesMax} bytes`)
    yield chunk
  }
}
