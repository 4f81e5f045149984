import fc from 'fast-check'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Customer, startService, type TestService } from '../../../test/harness/service.ts'
import { release, reserve } from '../../metering/reservations.ts'
import {
  accountStatement,
  grantCredits,
  requireAccount,
  type StatementEntry,
  type StatementFoot,
  type StatementHead,
} from './index.ts'

const resolve = '/v1/domains/resolve'

let service: TestService
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service.close())

const world = () => service.service.live

async function statementOf({ accountRef }: Customer, from: string | null = null, to: string | null = null) {
  const read: { head?: StatementHead; entries: StatementEntry[]; foot?: StatementFoot } = { entries: [] }
  await accountStatement(
    world(),
    accountRef,
    { from, to },
    {
      head: async head => void Object.assign(read, { head }),
      entry: async entry => void read.entries.push(entry),
      foot: async foot => void Object.assign(read, { foot }),
    },
  )
  return read as Required<typeof read>
}

const figuresOf = async (customer: Customer) => (await customer.ask('/v1/account')).body.data

test('every entry of a statement has its request id and the balance after the entry', async () => {
  const customer = await service.customer({ credits: 10 })
  const headers = { 'x-request-id': 'my-request-1' }
  await customer.ask(`${resolve}?domain=casino.example`, { headers })
  await grantCredits(world(), customer.accountRef, { credits: 5, note: 'invoice 7' })
  await customer.ask(`${resolve}?domain=other.example`)
  const { head, entries, foot } = await statementOf(customer)
  expect(head).toEqual({
    account_ref: customer.accountRef,
    name: 'A customer',
    plan: 'growth',
    from: null,
    to: null,
    opening: { granted: 0, used: 0, balance: 0 },
  })
  const asked = {
    kind: 'charge',
    price_key: 'domain.verdict',
    units: 1,
    credits: 1,
    endpoint: 'resolve_domain',
  }
  const granted = { kind: 'grant', price_key: null, units: null, endpoint: null, request_id: null }
  expect(entries).toEqual([
    { ...granted, recorded_at: expect.any(Date), credits: 10, note: 'account opened', balance: 10 },
    { ...asked, recorded_at: expect.any(Date), request_id: 'my-request-1', note: null, balance: 9 },
    { ...granted, recorded_at: expect.any(Date), credits: 5, note: 'invoice 7', balance: 14 },
    { ...asked, recorded_at: expect.any(Date), request_id: expect.any(String), note: null, balance: 13 },
  ])
  expect(foot).toEqual({ closing: { granted: 15, used: 2, balance: 13, reserved: 0 } })
})

test("a statement closes with its account's figures after any grants, charges and reservations", async () => {
  const step = fc.oneof(
    fc.record({ kind: fc.constant('ask' as const) }),
    fc.record({ kind: fc.constant('grant' as const), credits: fc.integer({ min: 1, max: 9 }) }),
    fc.record({
      kind: fc.constant('hold' as const),
      credits: fc.integer({ min: 1, max: 3 }),
      open: fc.boolean(),
    }),
  )
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 12 }), async steps => {
      const customer = await service.customer({ credits: 4 })
      const { id: accountId } = await requireAccount(world(), customer.accountRef)
      const { settler } = service.service
      for (const each of steps) {
        if (each.kind === 'ask') await customer.ask(`${resolve}?domain=casino.example`)
        else if (each.kind === 'grant')
          await grantCredits(world(), customer.accountRef, { credits: each.credits, note: 'more' })
        else {
          const { credits } = each
          const reservation = await reserve(settler, {
            accountId,
            credits,
            creditsMin: 1,
            purpose: 'x',
            now: new Date(),
          })
          if (reservation !== null && !each.open) await release(settler, reservation)
        }
      }
      const { entries, foot } = await statementOf(customer)
      const figures = await figuresOf(customer)
      const { granted, used, reserved, balance } = foot.closing
      expect({ granted, used, reserved }).toEqual({
        granted: figures.credits_granted,
        used: figures.credits_used,
        reserved: figures.credits_reserved,
      })
      expect((balance ?? 0) - (reserved ?? 0)).toBe(figures.available_credits)
      expect(entries.at(-1)?.balance).toBe(balance)
      expect(entries.every(entry => (entry.balance ?? 0) >= 0)).toBe(true)
    }),
    { numRuns: 15 },
  )
})

/** Moves each ledger entry and its usage to a separate day; the first day is March 1. */
async function spreadOverMarch({ accountRef }: Customer): Promise<void> {
  const { id } = await requireAccount(world(), accountRef)
  await sql`
    with numbered as (
      select entry_id, request_id, row_number() over (order by entry_id) as day
        from ledger_entries
       where account_id = ${id}
    ),
    moved as (
      update usage_records record
         set requested_at = '2026-03-01T11:59:59Z'::timestamptz + (numbered.day - 1) * interval '1 day'
        from numbered
       where record.account_id = ${id} and record.request_id = numbered.request_id
    )
    update ledger_entries entry
       set recorded_at = '2026-03-01T12:00:00Z'::timestamptz + (numbered.day - 1) * interval '1 day'
      from numbered
     where entry.account_id = ${id} and entry.entry_id = numbered.entry_id`.execute(world().database)
}

describe('a statement of a period', () => {
  let customer: Customer
  beforeAll(async () => {
    customer = await service.customer({ credits: 10 })
    for (let day = 2; day <= 5; day++) await customer.ask(`${resolve}?domain=casino.example`)
    await spreadOverMarch(customer)
  })

  test('a statement of a period has whole days, and opens with the balance before the first', async () => {
    const { head, entries, foot } = await statementOf(customer, '2026-03-03', '2026-03-04')
    expect(head.opening).toEqual({ granted: 10, used: 1, balance: 9 })
    expect(
      entries.map(({ recorded_at, balance, endpoint }) => [recorded_at.toISOString(), balance, endpoint]),
    ).toEqual([
      ['2026-03-03T12:00:00.000Z', 8, 'resolve_domain'],
      ['2026-03-04T12:00:00.000Z', 7, 'resolve_domain'],
    ])
    expect(foot.closing).toEqual({ granted: 10, used: 3, balance: 7, reserved: null })
  })

  test('a statement without a last day closes with the current figures of the account', async () => {
    const { entries, foot } = await statementOf(customer, '2026-03-05')
    expect(entries).toHaveLength(1)
    expect(foot.closing).toEqual({ granted: 10, used: 4, balance: 6, reserved: 0 })
  })

  test('the statements of consecutive periods add up to the whole statement', async () => {
    const days = fc.integer({ min: 1, max: 7 }).map(day => `2026-03-0${day}`)
    const whole = await statementOf(customer)
    await fc.assert(
      fc.asyncProperty(days, async day => {
        const next = new Date(Date.parse(day) + 86_400_000).toISOString().slice(0, 10)
        const [first, second] = [await statementOf(customer, null, day), await statementOf(customer, next)]
        expect([...first.entries, ...second.entries]).toEqual(whole.entries)
        expect(second.head.opening.balance).toBe(first.foot.closing.balance)
      }),
      { numRuns: 8 },
    )
  })

  test('a statement whose last day is before its first is refused', async () => {
    await expect(statementOf(customer, '2026-03-02', '2026-03-01')).rejects.toThrow('must not be after')
  })
})

test('a statement of an internal account has usage and no balance', async () => {
  const staff = await service.customer({ plan: 'internal' })
  await staff.ask(`${resolve}?domain=casino.example`)
  const { entries, foot } = await statementOf(staff)
  expect(entries).toMatchObject([{ kind: 'charge', balance: null }])
  expect(foot.closing).toEqual({ granted: 0, used: 1, balance: null, reserved: 0 })
})

test('a ledger entry whose usage record is missing has no endpoint', async () => {
  const customer = await service.customer()
  await customer.ask(`${resolve}?domain=casino.example`)
  const { id } = await requireAccount(world(), customer.accountRef)
  await sql`delete from usage_records where account_id = ${id}`.execute(world().database)
  expect((await statementOf(customer)).entries[1]).toMatchObject({ endpoint: null, credits: 1 })
})

test('a ledger entry whose request id is used twice has the endpoint of the charged request', async () => {
  const customer = await service.customer()
  const headers = { 'x-request-id': 'same-id-again' }
  await customer.ask('/v1/domains/search?verdict=licensed', { headers })
  await customer.ask(`${resolve}?domain=casino.example`, { headers })
  await customer.ask('/v1/domains/search?verdict=licensed', { headers })
  const [, ...charges] = (await statementOf(customer)).entries
  expect(charges).toMatchObject([{ price_key: 'domain.verdict', endpoint: 'resolve_domain' }])
})

test('a long ledger is read in pages, each entry exactly once', async () => {
  const customer = await service.customer({ credits: 5_000 })
  const { id } = await requireAccount(world(), customer.accountRef)
  await sql`
    insert into ledger_entries (account_id, settlement_id, kind, price_key, units, credits, recorded_at)
    select ${id}, gen_random_uuid(), 'charge', 'domain.verdict', 1, 1, now()
      from generate_series(1, 2500)`.execute(world().database)
  await sql`update account_balances set used = 2500 where account_id = ${id}`.execute(world().database)
  const { entries } = await statementOf(customer)
  expect(entries.map(({ balance }) => balance)).toEqual(
    Array.from({ length: 2_501 }, (_, index) => 5_000 - index),
  )
})

test('a statement ends with a warning if the ledger does not add up', async () => {
  const customer = await service.customer({ credits: 7 })
  const { id } = await requireAccount(world(), customer.accountRef)
  await sql`update account_balances set used = 2 where account_id = ${id}`.execute(world().database)
  await expect(statementOf(customer)).rejects.toThrow(
    'The entries sum up to 7 granted and 0 used, but the account has 7 and 2; run "verify".',
  )
})
