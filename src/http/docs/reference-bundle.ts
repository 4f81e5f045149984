import { createHash } from 'node:crypto'
import Fastify from 'fastify'

type ReferenceBundle = {
  /** Has a digest of the content, so that browsers may cache it forever. */
  fileName: string
  content: Buffer
}

/**
 * The script of Scalar's API reference (4.4 MB, 1.1 MB compressed). The package only serves it through its
 * Fastify plugin, whose page needs a looser content security policy and is not cached. So it is fetched
 * once from a server that never listens.
 */
export async function readReferenceBundle(): Promise<ReferenceBundle> {
  const { default: scalar } = await import('@scalar/fastify-api-reference')
  const source = Fastify()
  await source.register(scalar, { routePrefix: '/source', configuration: { url: 'unused' } })
  const { statusCode, rawPayload: content } = await source.inject('/source/js/scalar.js')
  await source.close()
  if (statusCode !== 200) throw new Error('@scalar/fastify-api-reference no longer serves js/scalar.js')
  const digest = createHash('sha256').update(content).digest('hex').slice(0, 16)
  return { fileName: `reference-${digest}.js`, content }
}
