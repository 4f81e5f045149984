import { afterAll, beforeAll, expect, test } from 'vitest'
import { startService, type TestService } from '../../../test/harness/service.ts'
import { demoKey } from '../../core/api-key.ts'
import { release, reserve } from '../../metering/reservations.ts'
import { grantCredits, requireAccount } from './index.ts'

const account = '/v1/account'
const one = '/v1/domains/resolve?domain=casino.example'

let service: TestService
beforeAll(async () => {
  service = await startService({ world: 'demo_key' })
})
afterAll(() => service.close())

test("GET /v1/account shows the plan and figures of the key's account, and nothing else", async () => {
  const customer = await service.customer({ credits: 40, plan: 'starter' })
  const { status, body } = await customer.ask(account)
  expect(status).toBe(200)
  expect(body.data).toEqual({
    plan: 'starter',
    credits_granted: 40,
    credits_used: 0,
    credits_reserved: 0,
    available_credits: 40,
  })
})

test('GET /v1/account reflects every charge, grant and reservation', async () => {
  const customer = await service.customer({ credits: 10 })
  const { live, settler } = service.service
  const { id: accountId } = await requireAccount(live, customer.accountRef)
  const figures = async () => (await customer.ask(account)).body.data

  await customer.ask(one)
  expect(await figures()).toMatchObject({ credits_granted: 10, credits_used: 1, available_credits: 9 })
  await grantCredits(live, customer.accountRef, { credits: 5, note: 'paid' })
  expect(await figures()).toMatchObject({ credits_granted: 15, credits_used: 1, available_credits: 14 })
  const reservation = await reserve(settler, {
    accountId,
    credits: 6,
    creditsMin: 6,
    purpose: 'export',
    now: new Date(),
  })
  expect(await figures()).toMatchObject({ credits_used: 1, credits_reserved: 6, available_credits: 8 })
  if (reservation === null) throw new Error('the balance covers it')
  await release(settler, reservation)
  expect(await figures()).toMatchObject({ credits_used: 1, credits_reserved: 0, available_credits: 14 })
})

test('reserved credits cannot be spent, and quota_exceeded reports them', async () => {
  const customer = await service.customer({ credits: 3 })
  const { id: accountId } = await requireAccount(service.service.live, customer.accountRef)
  await reserve(service.service.settler, {
    accountId,
    credits: 3,
    creditsMin: 3,
    purpose: 'export',
    now: new Date(),
  })
  const { status, body } = await customer.ask(one)
  expect([status, body.errors.details]).toEqual([429, { granted: 3, used: 0, reserved: 3, required: 1 }])
})

test('GET /v1/account of an internal account has credits_granted null, because it has no quota', async () => {
  const staff = await service.customer({ plan: 'internal' })
  await staff.ask(one)
  expect((await staff.ask(account)).body.data).toEqual({
    plan: 'internal',
    credits_granted: null,
    credits_used: 1,
    credits_reserved: 0,
    available_credits: 0,
  })
})

test('GET /v1/account is free: it is not charged or metered, and has no ceiling', async () => {
  const customer = await service.customer({ credits: 0 })
  const { status, headers } = await customer.ask(account)
  expect([status, headers.get('x-credits-charged'), headers.get('x-credits-remaining')]).toEqual([
    200,
    null,
    null,
  ])
  expect((await customer.ask(`${account}?max_credits=0`)).body.errors.code).toBe('unknown_parameter')
})

test('GET /v1/account with the demo key shows a fictional account, marked as a demo', async () => {
  const { status, body } = await service.ask(account, { key: demoKey })
  expect(status).toBe(200)
  expect(body.data).toMatchObject({ demo: true, simulated: true, _demo_redactions: { paths: [] } })
  const { plan, credits_granted: granted, available_credits: available } = body.data
  expect([typeof plan, typeof granted, typeof available]).toEqual(['string', 'number', 'number'])
})
