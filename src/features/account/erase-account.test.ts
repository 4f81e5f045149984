import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Customer, startService, type TestService } from '../../../test/harness/service.ts'
import { signIn } from '../../../test/harness/sign-in.ts'
import { StaffError } from '../../core/staff-error.ts'
import { aCommand } from '../audit/index.ts'
import { eraseAccount } from './index.ts'

let service: TestService
beforeAll(async () => {
  service = await startService({ world: 'demo' })
})
afterAll(() => service.close())

const now = new Date()
const erase = (customer: Customer, why = 'the customer asked for it') =>
  eraseAccount(service.service.live, customer.accountRef, { why, now, by: aCommand })

async function withEverything(): Promise<Customer> {
  const customer = await service.customer({ credits: 100 })
  const member = await signIn(service, { accountRef: customer.accountRef, role: 'owner' })
  const headers = { 'content-type': 'application/json' }
  const body = JSON.stringify({ domains: ['luckyotter.example'], notify: { email: member.email } })
  await customer.ask('/v1/portfolios/merchants', { method: 'PUT', headers, body })
  const key = { 'idempotency-key': 'once' }
  await customer.ask('/v1/domains/resolve?domain=luckyotter.example', { headers: key })
  const page = '/dashboard/domains/luckyotter.example'
  const nonce = (await member.get(page)).text.match(/name="nonce" value="([^"]+)"/)?.[1] as string
  await member.post(page, { max_credits: '1', nonce })
  return customer
}

async function rowsOf(customer: Customer) {
  const { database } = service.service.live
  const { id } = await database
    .selectFrom('accounts')
    .select('id')
    .where('account_ref', '=', customer.accountRef)
    .executeTakeFirstOrThrow()
  const count = async (table: 'portfolios' | 'bought_answers' | 'idempotency_records' | 'api_keys') =>
    (await database.selectFrom(table).select('account_id').where('account_id', '=', id).execute()).length
  const charges = await database
    .selectFrom('ledger_entries')
    .selectAll()
    .where('account_id', '=', id)
    .orderBy('entry_id')
    .execute()
  const members = await database.selectFrom('memberships').selectAll().where('account_id', '=', id).execute()
  return {
    stored: [
      await count('portfolios'),
      await count('bought_answers'),
      await count('idempotency_records'),
      await count('api_keys'),
      members.length,
    ],
    charges,
  }
}

test('an erasure removes what an account stored and keeps its ledger', async () => {
  const [customer, other] = [await withEverything(), await withEverything()]
  const before = await rowsOf(customer)
  expect(before.stored).toEqual([1, 1, 2, 1, 1])
  expect(await erase(customer)).toMatchObject({ portfolios: 1, bought_answers: 1, api_keys: 1 })
  const after = await rowsOf(customer)
  expect(after.stored).toEqual([0, 0, 0, 0, 0])
  expect(after.charges).toEqual(before.charges)
  expect(after.charges.length).toBeGreaterThan(1)
  expect((await rowsOf(other)).stored).toEqual(before.stored)
  expect(
    (await service.service.live.database.selectFrom('portfolio_members').selectAll().execute()).length,
  ).toBe(1)
  const event = await service.service.live.database
    .selectFrom('audit_events')
    .select(['action', 'subject', 'details'])
    .orderBy('id', 'desc')
    .executeTakeFirstOrThrow()
  expect(event).toMatchObject({
    action: 'account.erased',
    subject: customer.accountRef,
    details: { why: 'the customer asked for it', removed: { portfolios: 1 } },
  })
  expect(await erase(customer)).toMatchObject({ portfolios: 0, memberships: 0 })
})

test('an erasure without a reason, or of an unknown account, is refused', async () => {
  const customer = await service.customer()
  await expect(erase(customer, ' ')).rejects.toThrow(StaffError)
  await expect(erase({ ...customer, accountRef: 'acct_unknown' })).rejects.toThrow('There is no account')
  expect((await customer.ask('/v1/account')).status).toBe(200)
})
