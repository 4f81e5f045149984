import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import type { Customer } from '../../../test/harness/service.ts'
import { releaseExpired } from '../../metering/reservations.ts'
import { type CheckService, createQueue, startCheckService } from './fixture.ts'

let service: CheckService
let moment = Date.parse('2026-11-20T08:00:00Z')
beforeAll(async () => {
  service = await startCheckService({ now: () => new Date(moment) })
  await createQueue(service)
})
afterEach(async () => {
  await service.end()
  await service.expectConsistentBooks()
})
afterAll(() => service.close())

const database = () => service.service.live.database
const reserved = async (of: Customer) => (await service.account(of)).credits_reserved

test('100 simultaneous enrichments of one account all start, and the 101st is a 429', async () => {
  const customer = await service.customer({ credits: 1_000 })
  const answers = await Promise.all(
    Array.from({ length: 101 }, (_, number) => service.enrich(customer, { domain: `many${number}.example` })),
  )
  const statuses = answers.map(({ status }) => status).sort()
  expect(statuses).toEqual([...Array(100).fill(202), 429])
  expect(await reserved(customer)).toBe(1_000)
  expect(await service.end()).toHaveLength(100)
  expect(await service.account(customer)).toMatchObject({ credits_used: 1_000, credits_reserved: 0 })
})

test('simultaneous enrichments and paid verdicts of one account are all served', async () => {
  const customer = await service.customer()
  const numbers = Array.from({ length: 40 }, (_, number) => number)
  const answers = await Promise.all([
    ...numbers.map(number => service.enrich(customer, { domain: `mixed${number}.example` })),
    ...numbers.map(number => service.resolve(customer, `domain=mixed${number}.example`)),
  ])
  expect(new Set(answers.slice(0, 40).map(({ status }) => status))).toEqual(new Set([202]))
  expect(new Set(answers.slice(40).map(({ status }) => status))).toEqual(new Set([200]))
  expect(await service.account(customer)).toMatchObject({ credits_used: 40, credits_reserved: 400 })
})

test('an enrichment of a locked account is a 503, and another account can enrich the domain', async () => {
  const [busy, other] = await Promise.all([service.customer(), service.customer()])
  const domain = 'of-a-busy-account.example'
  await database()
    .transaction()
    .execute(async tx => {
      await sql`
        select from account_balances
         where account_id = (select id from accounts where account_ref = ${busy.accountRef})
           for update`.execute(tx)
      const refused = await service.enrich(busy, { domain })
      expect([refused.status, refused.body.message]).toEqual([
        503,
        'The account is busy; nothing was charged. Try again.',
      ])
      expect(refused.headers.get('retry-after')).toBe('1')
      const served = await service.enrich(other, { domain })
      expect([served.status, served.body.data.credits_quoted]).toEqual([202, 10])
    })
  expect([await reserved(busy), await reserved(other)]).toEqual([0, 10])
  expect((await service.enrich(busy, { domain: 'free-again.example' })).status).toBe(202)
})

test('an enrichment of a locked domain is a 503, and no credits are reserved', async () => {
  const customer = await service.customer()
  await database()
    .transaction()
    .execute(async tx => {
      await sql`insert into domains (domain_ref, domain) values ('dom_locked', 'locked.example')`.execute(tx)
      const refused = await service.enrich(customer, { domain: 'locked.example' })
      expect([refused.status, refused.body.message]).toEqual([
        503,
        'The domain is being updated; nothing was charged. Try again.',
      ])
    })
  expect(await reserved(customer)).toBe(0)
})

/** Runs `work` while storing a reservation with its check runs `statement` first. */
async function whileStoring(statement: string, work: () => Promise<void>): Promise<void> {
  await sql
    .raw(`
    create function disturb() returns trigger language plpgsql as $$ begin ${statement}; return new; end $$;
    create trigger disturb before update of reservation_id on site_checks
       for each row execute function disturb()`)
    .execute(database())
  try {
    await work()
  } finally {
    await sql`drop function disturb cascade`.execute(database())
  }
}

test('a check that cannot be stored releases its reserved credits', async () => {
  const customer = await service.customer()
  await whileStoring(`raise exception 'no'`, async () => {
    expect((await service.enrich(customer, { domain: 'not-stored.example' })).status).toBe(500)
  })
  expect(await reserved(customer)).toBe(0)
  await service.open(0)
})

test('credits of a check that was lost with its connection are released after a minute', async () => {
  const customer = await service.customer()
  const settling = service.service.settler
  await whileStoring('perform pg_terminate_backend(pg_backend_pid())', async () => {
    expect((await service.enrich(customer, { domain: 'lost.example' })).status).toBe(503)
  })
  expect(await reserved(customer)).toBe(10)
  await service.open(0)
  expect(await releaseExpired(database(), settling, new Date(moment))).toBe(0)
  moment += 60_001
  expect(await releaseExpired(database(), settling, new Date(moment))).toBe(1)
  expect(await reserved(customer)).toBe(0)
})

test('the credits of a queued check stay reserved for as long as it waits', async () => {
  const customer = await service.customer()
  expect((await service.enrich(customer, { domain: 'waits.example' })).status).toBe(202)
  moment += 24 * 60 * 60_000
  expect(await releaseExpired(database(), service.service.settler, new Date(moment))).toBe(0)
  expect(await reserved(customer)).toBe(10)
})
