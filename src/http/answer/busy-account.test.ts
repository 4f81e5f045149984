import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { eventually } from '../../../test/harness/eventually.ts'
import { type Customer, startService, type TestService } from '../../../test/harness/service.ts'

const one = '/v1/domains/resolve?domain=casino.example'
/** The database stops waiting for a lock after this time. */
const lockTimeoutMs = 2_000

let service: TestService
beforeAll(async () => {
  service = await startService()
})
afterEach(() => vi.useRealTimers())
afterAll(() => service.close())

/** Runs `work` while another transaction locks the customer's balance. */
function whileLocked(customer: Customer, work: () => Promise<void>): Promise<void> {
  return service.service.live.database.transaction().execute(async tx => {
    const { rows } = await sql`
      select from account_balances balance
        join accounts account on account.id = balance.account_id
       where account.account_ref = ${customer.accountRef}
         for update of balance`.execute(tx)
    expect(rows).toHaveLength(1)
    await work()
  })
}

async function used(customer: Customer): Promise<number> {
  return (await customer.ask('/v1/account')).body.data.credits_used
}

test('a locked account gets a free 503, and delays other accounts at most once', async () => {
  const [busy, ...others] = await Promise.all(Array.from({ length: 9 }, () => service.customer()))
  if (busy === undefined) throw new Error('there are nine')
  const rounds = 8
  await whileLocked(busy, async () => {
    expect((await busy.ask(one)).status).toBe(503)
    // The second in which the account is tried without waiting lasts for all rounds.
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() })
    const startedMs = performance.now()
    for (let round = 0; round < rounds; round++) {
      const [refused, ...served] = await Promise.all([busy, ...others].map(customer => customer.ask(one)))
      expect([refused?.status, refused?.body.errors.code, refused?.headers.get('retry-after')]).toEqual([
        503,
        'service_unavailable',
        '1',
      ])
      expect(refused?.headers.get('x-credits-charged')).toBe('0')
      expect(served.map(({ status }) => status)).toEqual(others.map(() => 200))
    }
    // A wait for the lock in each round would take twice as long.
    expect(performance.now() - startedMs).toBeLessThan((rounds * lockTimeoutMs) / 2)
  })
  expect((await busy.ask(one)).status).toBe(200)
  expect(await used(busy)).toBe(1)
  expect(await Promise.all(others.map(used))).toEqual(others.map(() => rounds))
})

test('while a locked account waits, others are served, and then the locked account is served', async () => {
  const [busy, other] = await Promise.all([service.customer(), service.customer()])
  let waiting: ReturnType<Customer['ask']> | undefined
  let isAnswered = false
  await whileLocked(busy, async () => {
    expect((await busy.ask(one)).status).toBe(503)
    // The next request comes after the second in which the account is tried without waiting.
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 1_001 })
    waiting = busy.ask(one).finally(() => {
      isAnswered = true
    })
    await eventually('its lock is waited for', async () => {
      const { rows } = await sql`
        select from pg_stat_activity
         where datname = current_database() and wait_event_type = 'Lock'`.execute(
        service.service.live.database,
      )
      return rows.length === 1
    })
    for (let round = 0; round < 5; round++) expect((await other.ask(one)).status).toBe(200)
    expect(isAnswered).toBe(false)
  })
  expect((await waiting)?.status).toBe(200)
  expect([await used(busy), await used(other)]).toEqual([1, 5])
})
