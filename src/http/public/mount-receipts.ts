import { htmlType, jsonType } from '@baize/http-content'
import type { FastifyInstance } from 'fastify'
import { createFirstKey, publicKeys } from '../../features/receipts/index.ts'
import { verifyPage } from '../../pages/index.ts'
import type { Service } from '../service.ts'

/** Serves what a stranger needs to verify a receipt (contract section 19). */
export function mountReceipts(scope: FastifyInstance, { live, now }: Service): void {
  const keySet = async () => {
    await createFirstKey(live, now())
    return JSON.stringify(await publicKeys(live))
  }
  scope.get('/.well-known/jwks.json', async (_request, reply) => {
    reply.header('cache-control', 'public, max-age=3600').type(jsonType)
    return reply.send(await keySet())
  })
  scope.get('/verify', async (_request, reply) => reply.type(htmlType).send(verifyPage(await keySet()).text))
}
