import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type CheckService, createQueue, startCheckService } from './fixture.ts'
import { startBackgroundCheck } from './index.ts'

let service: CheckService
beforeAll(async () => {
  service = await startCheckService()
  await createQueue(service)
})
afterAll(() => service.close())

const domain = 'queued.example'
const job = async () => {
  const { rows } = await sql<{ priority: number; attempts: number }>`
    select priority, attempts from graphile_worker.jobs where key = ${`check:${domain}`}`.execute(
    service.service.live.database,
  )
  return rows
}

test('a check starts as early as the most urgent request that joined it needs', async () => {
  const customer = await service.customer()
  await service.service.live.database
    .transaction()
    .execute(tx => startBackgroundCheck(tx, { domain, askedBy: 'refresh', now: new Date() }))
  const [refresh] = await job()
  await service.enrich(customer, { domain })
  const [enrichment] = await job()
  const waiting = service.resolve(customer, `domain=${domain}&include[]=geo&max_age_days=1`)
  await service.waiting(1)
  const [request] = await job()
  expect([refresh, enrichment, request].map(each => each?.priority)).toEqual([0, -10, -20])
  await service.enrich(customer, { domain })
  expect(await job()).toEqual([request])
  await service.end()
  expect((await waiting).status).toBe(200)
})
