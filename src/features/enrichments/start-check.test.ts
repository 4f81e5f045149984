import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type CheckService, createQueue, startCheckService } from './fixture.ts'
import { startBackgroundCheck, startUnpaidCheck } from './index.ts'

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

test('a check has the priority of the most urgent request that joined it', async () => {
  const customer = await service.customer()
  await service.service.live.database
    .transaction()
    .execute(tx => startBackgroundCheck(tx, { domain, askedBy: 'refresh', now: new Date() }))
  const [refresh] = await job()
  const now = new Date()
  await startUnpaidCheck(service.service.live.database, { domain, freshAfter: now, now })
  const [unpaid] = await job()
  await service.enrich(customer, { domain })
  const [enrichment] = await job()
  const waiting = service.resolve(customer, `domain=${domain}&include[]=geo&max_age_days=1`)
  await service.waiting(1)
  const [request] = await job()
  expect([refresh, unpaid, enrichment, request].map(each => each?.priority)).toEqual([0, -5, -10, -20])
  await service.enrich(customer, { domain })
  expect(await job()).toEqual([request])
  await service.end()
  expect((await waiting).status).toBe(200)
})

const askedBy = async (site: string) => {
  const { rows } = await sql<{ asked_by: string; state: string }>`
    select checked.asked_by, checked.state
      from site_checks checked
      join domains on domains.id = checked.domain_id
     where domains.domain = ${site}
     order by checked.id`.execute(service.service.live.database)
  return rows.map(row => `${row.asked_by} ${row.state}`)
}
const inBackground = (site: string) =>
  service.service.live.database
    .transaction()
    .execute(tx => startBackgroundCheck(tx, { domain: site, askedBy: 'refresh', now: new Date() }))

test('a queued background check that a customer also requests ignores robots.txt', async () => {
  const customer = await service.customer()
  await inBackground('joined.example')
  await service.enrich(customer, { domain: 'joined.example' })
  expect(await askedBy('joined.example')).toEqual(['request queued'])
  await service.end()
})

test("a background check that robots.txt refused does not answer a customer's request", async () => {
  const customer = await service.customer()
  await inBackground('robots.example')
  await service.end('blocked')
  await service.enrich(customer, { domain: 'robots.example', max_age_days: 0 })
  expect(await askedBy('robots.example')).toEqual(['refresh failed', 'enrichment queued'])
  await service.end('blocked')
  await service.enrich(customer, { domain: 'robots.example', max_age_days: 0 })
  expect(await askedBy('robots.example')).toHaveLength(2)
})
