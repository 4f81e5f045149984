import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import Fastify from 'fastify'

const compress = promisify(gzip)

export type ReferenceBundle = {
  /** Changes with the content, so that browsers may keep the file for good. */
  fileName: string
  plain: Buffer
  gzipped: Buffer
}

/**
 * The program of Scalar's reference page, 4.4 MB and 1.3 MB compressed, out of its package. The package hands it out
 * through its Fastify plugin alone, whose own page holds an inline script: it would need a looser content security
 * policy, and loads the program anew on every visit. So a server that never listens is asked for it, once.
 */
export async function readReferenceBundle(): Promise<ReferenceBundle> {
  const { default: scalar } = await import('@scalar/fastify-api-reference')
  const source = Fastify()
  await source.register(scalar, { routePrefix: '/source', configuration: { url: 'unused' } })
  const { statusCode, rawPayload: plain } = await source.inject('/source/js/scalar.js')
  await source.close()
  if (statusCode !== 200)
    throw new Error('@scalar/fastify-api-reference does not serve js/scalar.js any more.')
  const digest = createHash('sha256').update(plain).digest('hex').slice(0, 16)
  return { fileName: `reference-${digest}.js`, plain, gzipped: await compress(plain) }
}
