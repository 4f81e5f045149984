import type { FastifyInstance } from 'fastify'
import { createFirstKey, publicKeys } from '../../features/receipts/index.ts'
import { jsonType } from '../send/static-content.ts'
import type { Service } from '../service.ts'

/** Serves what a stranger needs to verify a receipt (contract section 19). */
export function mountReceipts(scope: FastifyInstance, { live, now }: Service): void {
  scope.get('/.well-known/jwks.json', async (_request, reply) => {
    await createFirstKey(live, now())
    reply.header('cache-control', 'public, max-age=3600').type(jsonType)
    return reply.send(JSON.stringify(await publicKeys(live)))
  })
}
