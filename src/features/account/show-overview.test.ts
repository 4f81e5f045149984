import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type Customer, startService, type TestService } from '../../../test/harness/service.ts'
import { type Person, signIn } from '../../../test/harness/sign-in.ts'
import { dayMs } from '../../core/time.ts'
import { createKey, listAccountKeys, revokeKey } from './index.ts'

const path = '/dashboard'
const verdict = '/v1/domains/resolve?domain=luckyotter.example'

let service: TestService
let customer: Customer
let owner: Person
let lateMs = 0

beforeAll(async () => {
  service = await startService({ world: 'demo', now: () => new Date(Date.now() + lateMs) })
})
afterAll(() => service.close())
beforeEach(async () => {
  lateMs = 0
  customer = await service.customer({ credits: 100 })
  owner = await signIn(service, { accountRef: customer.accountRef })
})

const shown = async (person = owner) => (await person.read(path)).body.data
const world = () => service.service.live

async function ask(count: number): Promise<void> {
  for (let asked = 0; asked < count; asked += 1) await customer.ask(verdict)
  await service.service.usage.flush()
}

describe('the balance', () => {
  test('the overview shows the balance, the granted credits, and 30 days of spending', async () => {
    await ask(3)
    const { account, credits_spent: spent } = await shown()
    expect([account, spent]).toMatchObject([
      { credits_granted: 100, credits_used: 3, credits_reserved: 0, available_credits: 97 },
      3,
    ])
  })

  test('the overview estimates how long the balance lasts once a week of spending is known', async () => {
    await ask(10)
    expect((await shown()).days_left).toBeNull()
    expect((await owner.get(path)).text).not.toContain('it lasts')
    lateMs = 6 * dayMs
    owner = await signIn(service, { accountRef: customer.accountRef })
    expect((await shown()).days_left).toBe(63)
    expect((await owner.get(path)).text).toContain('it lasts 63 days')
  })

  test('without a charge in 30 days the overview does not estimate how long the balance lasts', async () => {
    await customer.ask('/v1/account')
    await service.service.usage.flush()
    expect((await shown()).days_left).toBeNull()
    await ask(1)
    lateMs = 31 * dayMs
    owner = await signIn(service, { accountRef: customer.accountRef })
    expect(await shown()).toMatchObject({ days_left: null, credits_spent: 0, account: { credits_used: 1 } })
  })

  test('the overview says that requests are refused when the balance is used up', async () => {
    customer = await service.customer({ credits: 1 })
    await ask(1)
    const person = await signIn(service, { accountRef: customer.accountRef })
    expect((await shown(person)).days_left).toBe(0)
    expect((await person.get(path)).text).toContain('Paid requests are refused with 429.')
  })

  test('the overview of an internal account shows no quota', async () => {
    customer = await service.customer({ plan: 'internal' })
    await ask(2)
    const person = await signIn(service, { accountRef: customer.accountRef })
    expect(await shown(person)).toMatchObject({
      account: { credits_granted: null },
      days_left: null,
      credits_spent: 2,
    })
    const { text } = await person.get(path)
    expect(text).toContain('no quota')
    expect(text).not.toMatch(/Granted|refused with 429/)
  })
})

test('the overview says what needs people of the account, and leads to it', async () => {
  expect((await owner.get(path)).text).toContain('Nothing waits for you.')
  const asked = { request: 'Operators of Malta and their payments', cadence: 'one_time' }
  expect((await owner.post('/dashboard/prospect-lists', asked)).status).toBe(303)
  const { needs } = await shown()
  expect(needs).toEqual([{ kind: 'list_waiting', count: 1, ref: expect.stringMatching(/^pl_/) }])
  expect((await owner.get(path)).text).toContain(`href="/dashboard/prospect-lists/${needs[0].ref}"`)
  const other = await service.customer()
  const stranger = await signIn(service, { accountRef: other.accountRef })
  expect((await shown(stranger)).needs).toEqual([])
})

describe('the first steps', () => {
  const removeKeys = async () => {
    for (const { key_ref: ref } of await listAccountKeys(world(), customer.accountRef))
      await revokeKey(world(), ref)
  }

  test('the overview shows first steps until the account has a key and has sent a request', async () => {
    await removeKeys()
    const { text } = await owner.get(path)
    expect([text.includes('First steps'), text.includes('Create a key')]).toEqual([true, true])
    const { api_key: key } = await createKey(world(), customer.accountRef, { name: 'The <first>' })
    const withKey = (await owner.get(path)).text
    expect([withKey.includes('First steps'), withKey.includes('“<bdi>The &lt;first&gt;</bdi>”')]).toEqual([
      true,
      true,
    ])
    expect(withKey).toContain(`…${key.slice(-4)}`)
    expect(withKey).not.toContain(key)
    await service.ask('/v1/account', { key })
    await service.service.usage.flush()
    const done = (await owner.get(path)).text
    expect([done.includes('First steps'), done.includes('“<bdi>The &lt;first&gt;</bdi>”')]).toEqual([
      false,
      true,
    ])
  })

  test('the first steps name a key only if it is neither expired nor replaced', async () => {
    await removeKeys()
    await createKey(world(), customer.accountRef, { name: 'Works' })
    await createKey(world(), customer.accountRef, {
      name: 'Expired',
      expiresAt: new Date(Date.now() + 1_000),
    })
    lateMs = 2_000
    expect((await shown()).key).toMatchObject({ name: 'Works' })
  })

  test('the first steps refer a member to an owner, and name no key', async () => {
    const member = await signIn(service, { accountRef: customer.accountRef, role: 'member' })
    expect((await shown(member)).key).toBeNull()
    const { text } = await member.get(path)
    expect([text.includes('Ask an owner'), text.includes('/dashboard/keys')]).toEqual([true, false])
  })

  test('a person with role billing sees the balance and no first steps', async () => {
    const billing = await signIn(service, { accountRef: customer.accountRef, role: 'billing' })
    const { status, text } = await billing.get(path)
    expect([status, text.includes('Available'), text.includes('curl')]).toEqual([200, true, false])
  })
})
