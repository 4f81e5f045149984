import fc from 'fast-check'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { eventually } from '../../test/harness/eventually.ts'
import type { World } from '../database/open.ts'
import { accountWith, type Books, chargeItem, expectTrueBooks, figures, keyed, openBooks } from './fixture.ts'
import { findStoredAnswer } from './idempotency.ts'
import { type Reservation, releaseExpired, renew, reserve } from './reservations.ts'
import type { Settler } from './settle.ts'
import type { SettleOutcome } from './settle-statement.ts'

let world: World
let settler: Settler
let close: Books['close']

beforeAll(async () => {
  ;({ world, settler, close } = await openBooks())
})

afterAll(() => close())

test('an account with too few credits fails only its own items of a batch, in order', async () => {
  const poor = await accountWith(world, 5)
  const rich = await accountWith(world, 1_000)
  const outcomes = await Promise.all(
    [3, 3, 2, 1].flatMap(credits => [
      settler.settle(chargeItem(poor, credits)),
      settler.settle(chargeItem(rich, credits)),
    ]),
  )
  expect(outcomes.filter((_, index) => index % 2 === 0).map(each => each.outcome)).toEqual([
    'settled',
    'quota_exceeded',
    'settled',
    'quota_exceeded',
  ])
  expect(outcomes.filter((_, index) => index % 2 === 1).every(each => each.outcome === 'settled')).toBe(true)
  expect(await figures(world, poor)).toEqual({ granted: 5, used: 5, reserved: 0 })
  await expectTrueBooks(world)
})

test('of simultaneous items with one key exactly one is charged, and all others are replayed', async () => {
  const account = await accountWith(world, 100)
  const outcomes = await Promise.all(
    Array.from({ length: 40 }, (_, index) =>
      settler.settle(keyed(account, 2, 'one', { body: `body ${index}` })),
    ),
  )
  const settled = outcomes.filter(each => each.outcome === 'settled')
  expect(settled).toHaveLength(1)
  const bodies = new Set(outcomes.filter(each => each.outcome === 'replayed').map(each => each.stored_body))
  expect(bodies).toEqual(new Set(['body 0']))
  expect((await figures(world, account)).used).toBe(2)
})

test('a charge below its minimum balance is refused, even if it costs 0', async () => {
  const account = await accountWith(world, 5)
  const judged = [0, 1, 0, 1].map(credits => settler.settle(chargeItem(account, credits, { creditsMin: 5 })))
  const outcomes = (await Promise.all(judged)).map(each => each.outcome)
  expect(outcomes).toEqual(['settled', 'settled', 'quota_exceeded', 'quota_exceeded'])
  expect((await figures(world, account)).used).toBe(1)
  expect((await settler.settle(chargeItem(account, 4))).outcome).toBe('settled')
  await expectTrueBooks(world)
})

test('a usage record names the API key of its request, or no key if the request has none', async () => {
  const account = await accountWith(world, 10)
  const asking = (requestId: string, keyId: number | null) => {
    const requested = { requestedAt: new Date(), endpoint: 'x', durationMs: 1, requestParams: '{}' }
    return chargeItem(account, 1, { requestId, usage: { ...requested, source: 'api', client: null, keyId } })
  }
  await Promise.all([settler.settle(asking('dashboard', null)), settler.settle(asking('of a key', 7))])
  await settler.settle(asking('dashboard alone', null))
  const { rows } = await sql`
    select request_id, key_id from usage_records where account_id = ${account} order by request_id
  `.execute(world.database)
  expect(rows).toEqual([
    { request_id: 'dashboard', key_id: null },
    { request_id: 'dashboard alone', key_id: null },
    { request_id: 'of a key', key_id: 7 },
  ])
})

test('a key with another fingerprint is refused and charges nothing', async () => {
  const account = await accountWith(world, 10)
  await settler.settle(keyed(account, 1, 'k'))
  const outcome = await settler.settle(keyed(account, 1, 'k', { print: 'other' }))
  expect(outcome.outcome).toBe('reused')
  expect((await figures(world, account)).used).toBe(1)
})

test('a replay is free even when the balance is 0', async () => {
  const account = await accountWith(world, 1)
  await settler.settle(keyed(account, 1, 'k'))
  expect((await settler.settle(keyed(account, 1, 'k'))).outcome).toBe('replayed')
  expect((await settler.settle(chargeItem(account, 1))).outcome).toBe('quota_exceeded')
})

test('a settlement that is sent again after a lost connection is settled once', async () => {
  const account = await accountWith(world, 10)
  const item = chargeItem(account, 4)
  const first = await settler.settle(item)
  const second = await settler.settle(item)
  expect([first.outcome, second.outcome]).toEqual(['settled', 'settled'])
  expect(second.moved).toBe(4)
  expect((await figures(world, account)).used).toBe(4)
})

test('a locked account is reported as busy, and other accounts of the batch are settled', async () => {
  const reservation = await accountWith(world, 10)
  const free = await accountWith(world, 10)
  let outcomes: SettleOutcome[] = []
  await world.database.transaction().execute(async tx => {
    await sql`select 1 from account_balances where account_id = ${reservation} for update`.execute(tx)
    outcomes = await Promise.all([
      settler.settle(chargeItem(reservation, 1)),
      settler.settle(chargeItem(free, 1)),
    ])
  })
  expect(outcomes.map(each => each.outcome)).toEqual(['busy', 'settled'])
  expect((await settler.settle(chargeItem(reservation, 1))).outcome).toBe('settled')
})

test('an item that the database rejects does not fail other items of its batch', async () => {
  const account = await accountWith(world, 10)
  const bad = chargeItem(account, 1, { requestId: 'a\0b' })
  const results = await Promise.allSettled([
    settler.settle(chargeItem(account, 1)),
    settler.settle(bad),
    settler.settle(chargeItem(account, 1)),
  ])
  expect(results.map(each => each.status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
  expect((await figures(world, account)).used).toBe(2)
})

test('a reservation reserves the available credits, is charged, and releases the rest', async () => {
  const account = await accountWith(world, 10)
  const now = new Date()
  const reservation = await reserve(settler, {
    accountId: account,
    credits: 50,
    creditsMin: 1,
    purpose: 'export',
    now,
  })
  expect(reservation?.credits).toBe(10)
  expect((await settler.settle(chargeItem(account, 1))).outcome).toBe('quota_exceeded')
  const outcome = await settler.settle(
    chargeItem(account, 7, { reservationId: reservation?.reservationId as string }),
  )
  expect(outcome).toMatchObject({ outcome: 'settled', used: 7, reserved: 0 })
  expect(
    await reserve(settler, { accountId: account, credits: 50, creditsMin: 4, purpose: 'export', now }),
  ).toBeNull()
  await expectTrueBooks(world)
})

test('of two items of a batch with one reservation, only the first uses the reservation', async () => {
  const account = await accountWith(world, 10)
  const asked = { accountId: account, credits: 4, creditsMin: 4, purpose: 'export', now: new Date() }
  const [first, other] = await Promise.all([reserve(settler, asked), reserve(settler, asked)])
  const { reservationId } = first as Reservation
  const charges = [1, 1].map(credits => settler.settle(chargeItem(account, credits, { reservationId })))
  expect((await Promise.all(charges)).map(each => each.outcome)).toEqual(['settled', 'settled'])
  expect(await figures(world, account)).toEqual({ granted: 10, used: 2, reserved: other?.credits })
  await expectTrueBooks(world)
})

test('an expired reservation is released, and its late owner cannot overdraw the balance', async () => {
  const account = await accountWith(world, 10)
  const past = new Date(Date.now() - 3_600_000)
  const reservation = await reserve(settler, {
    accountId: account,
    credits: 8,
    creditsMin: 8,
    purpose: 'check',
    now: past,
  })
  const kept = await reserve(settler, {
    accountId: account,
    credits: 2,
    creditsMin: 2,
    purpose: 'check',
    now: past,
  })
  if (reservation === null || kept === null) throw new Error('the balance covers both')
  expect(await renew(world.database, kept, new Date())).toBe(true)
  expect(await releaseExpired(world.database, settler, new Date())).toBe(1)
  expect((await figures(world, account)).reserved).toBe(2)
  expect(await renew(world.database, reservation, new Date())).toBe(false)
  const late = await settler.settle(chargeItem(account, 9, { reservationId: reservation.reservationId }))
  expect(late.outcome).toBe('quota_exceeded')
  await expectTrueBooks(world)
})

/** Makes a reservation whose lease ended an hour ago. */
async function lapsed(account: number): Promise<Reservation> {
  const past = new Date(Date.now() - 3_600_000)
  const reservation = await reserve(settler, {
    accountId: account,
    credits: 5,
    creditsMin: 5,
    purpose: 'check',
    now: past,
  })
  if (reservation === null) throw new Error('the balance covers it')
  return reservation
}

test('a reservation is not released if it was renewed or settled just before', async () => {
  const account = await accountWith(world, 10)
  const [renewed, settled] = [await lapsed(account), await lapsed(account)]
  const released = await releaseExpired(
    world.database,
    {
      async settle(item) {
        if (item.reservationId === renewed.reservationId) await renew(world.database, renewed, new Date())
        else await settler.settle(chargeItem(account, 3, { reservationId: settled.reservationId }))
        return settler.settle(item)
      },
    },
    new Date(),
  )
  expect(released).toBe(0)
  expect(await figures(world, account)).toEqual({ granted: 10, used: 3, reserved: 5 })
  await expectTrueBooks(world)
})

test('a renewal in progress prevents the release of its reservation', async () => {
  const account = await accountWith(world, 10)
  const reservation = await lapsed(account)
  let sweeping: Promise<number> | undefined
  await world.database.transaction().execute(async tx => {
    expect(await renew(tx, reservation, new Date())).toBe(true)
    sweeping = releaseExpired(world.database, settler, new Date())
    await eventually('the sweeper waits for it', async () => {
      const { rows } = await sql`
        select from pg_stat_activity
         where datname = current_database() and wait_event_type = 'Lock'`.execute(world.database)
      return rows.length === 1
    })
  })
  expect(await sweeping).toBe(0)
  expect((await figures(world, account)).reserved).toBe(5)
  await expectTrueBooks(world)
})

test('a stored response is no longer used after 7 days, even if it was not purged', async () => {
  const account = await accountWith(world, 10)
  const age = (days: number) =>
    sql`update idempotency_records set created_at = now() - make_interval(hours => ${days * 24}::int)
         where account_id = ${account}`.execute(world.database)
  await settler.settle(keyed(account, 1, 'k', { body: 'first' }))
  await age(6.75)
  expect((await findStoredAnswer(world, account, 'k'))?.body).toBe('first')
  expect(await settler.settle(keyed(account, 1, 'k'))).toMatchObject({
    outcome: 'replayed',
    stored_body: 'first',
  })
  await age(7.25)
  expect(await findStoredAnswer(world, account, 'k')).toBeUndefined()
  const [settled, ...others] = await Promise.all(
    Array.from({ length: 5 }, () =>
      settler.settle(keyed(account, 1, 'k', { print: 'other', body: 'second' })),
    ),
  )
  expect(settled).toMatchObject({ outcome: 'settled', used: 2 })
  expect(others.every(each => each.outcome === 'replayed' && each.stored_body === 'second')).toBe(true)
  expect((await findStoredAnswer(world, account, 'k'))?.body).toBe('second')
  await age(7.25)
  expect((await settler.settle(keyed(account, 99, 'k'))).outcome).toBe('quota_exceeded')
  expect((await figures(world, account)).used).toBe(2)
  await expectTrueBooks(world)
})

test('after any requests no balance is negative, and ledger entries equal the usage', async () => {
  const step = fc.record({
    who: fc.integer({ min: 0, max: 2 }),
    credits: fc.integer({ min: 0, max: 9 }),
    key: fc.option(fc.constantFrom('a', 'b', 'c', 'd'), { nil: null }),
    print: fc.constantFrom('x', 'y'),
  })
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.integer({ min: 0, max: 40 }), { minLength: 3, maxLength: 3 }),
      fc.array(step, { maxLength: 40 }),
      async (grants, steps) => {
        const accounts = await Promise.all(grants.map(credits => accountWith(world, credits)))
        const outcomes = await Promise.all(
          steps.map(({ who, credits, key, print }) => {
            const account = accounts[who] as number
            return settler.settle(
              key === null ? chargeItem(account, credits) : keyed(account, credits, key, { print }),
            )
          }),
        )
        for (const [who, account] of accounts.entries()) {
          const moved = outcomes
            .filter((outcome, index) => steps[index]?.who === who && outcome.outcome === 'settled')
            .reduce((sum, outcome) => sum + outcome.moved, 0)
          const { granted, used } = await figures(world, account)
          expect(used).toBe(moved)
          expect(used).toBeLessThanOrEqual(granted ?? 0)
        }
      },
    ),
    { numRuns: 30 },
  )
  await expectTrueBooks(world)
})
