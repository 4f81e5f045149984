import { pipeline, type Readable } from 'node:stream'
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib'
import { PageFailure } from './page-failure.ts'

const unpackers = {
  gzip: createGunzip,
  'x-gzip': createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
}

/** Reads the unpacked beginning of a body, at most `bytesMax`. The rest is not received. */
export async function readBody(
  body: Readable,
  encoding: string | null,
  bytesMax: number,
): Promise<{ body: Uint8Array; truncated: boolean }> {
  const name = encoding?.trim().toLowerCase() ?? ''
  const isPlain = name === '' || name === 'identity'
  if (!isPlain && !Object.hasOwn(unpackers, name)) {
    body.destroy()
    throw new PageFailure('broken', `the response has the encoding "${name.slice(0, 40)}"`)
  }
  const unpacked = isPlain ? body : pipeline(body, unpackers[name as keyof typeof unpackers](), () => {})
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of unpacked as AsyncIterable<Uint8Array>) {
    const room = bytesMax - bytes
    if (chunk.byteLength > room) {
      chunks.push(chunk.subarray(0, room))
      return { body: Buffer.concat(chunks), truncated: true }
    }
    chunks.push(chunk)
    bytes += chunk.byteLength
  }
  return { body: Buffer.concat(chunks), truncated: false }
}
