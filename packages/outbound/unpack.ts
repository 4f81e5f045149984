import type { Duplex, Readable } from 'node:stream'
import { pipeline } from 'node:stream'
import { createBrotliDecompress, createGunzip } from 'node:zlib'
import { OutboundError } from './outbound-error.ts'

export const acceptedEncodings = 'gzip, br'

const unpackers: Record<string, () => Duplex> = {
  gzip: createGunzip,
  'x-gzip': createGunzip,
  br: createBrotliDecompress,
}

/** Streams the unpacked body. Received and unpacked bytes are each limited to `bytesMax`. */
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
      `the response has the encoding "${encoding}"; accepted are ${acceptedEncodings}`,
    )
  }
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
    if (bytes > bytesMax)
      throw new OutboundError('too_large', `the response is larger than ${bytesMax} bytes`)
    yield chunk
  }
}
