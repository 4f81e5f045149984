import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Customer, startService, type TestService } from '../../../test/harness/service.ts'
import { readChanges } from './changes-store.ts'

const membersOfLarge = 100_000
const limitMs = 5
const runs = 30

let service: TestService
let customer: Customer
beforeAll(async () => {
  service = await startService({ world: 'demo_with_registers' })
  customer = await service.customer()
})
afterAll(() => service.close())

test('the changes of a quiet portfolio of 100,000 members are read within 5 ms', async () => {
  const domains = Array.from({ length: membersOfLarge }, (_, each) => `site-${each}.example`)
  const headers = { 'content-type': 'application/json' }
  const body = JSON.stringify({ domains })
  const { body: answer } = await customer.ask('/v1/portfolios/large', { method: 'PUT', headers, body })
  const { database } = service.service.live
  await sql`analyze portfolio_members, portfolios, verdict_changes, domains`.execute(database)
  const { rows } = await sql<{ id: number }>`select id from portfolios where name = 'large'`.execute(database)
  const quiet = { portfolioId: rows[0]?.id ?? 0, after: answer.data.position, limit: 21 }
  expect(await fastestMs(() => readChanges(database, quiet))).toBeLessThan(limitMs)
  // All changes of the feed, none of which is of a member, are looked up among the members.
  expect(await fastestMs(() => readChanges(database, { ...quiet, after: 0 }))).toBeLessThan(limitMs)
})

async function fastestMs(work: () => Promise<unknown>): Promise<number> {
  let fastest = Number.POSITIVE_INFINITY
  for (let run = 0; run < runs; run += 1) {
    const startedAt = performance.now()
    await work()
    fastest = Math.min(fastest, performance.now() - startedAt)
  }
  return fastest
}
