import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type Customer, startService, type TestService } from '../../../test/harness/service.ts'
import { type Person, signIn } from '../../../test/harness/sign-in.ts'

const dayMs = 24 * 3_600_000
const minuteMs = 60_000

let service: TestService
let customer: Customer
let owner: Person
let lateMs = 0
const now = () => new Date(Date.now() + lateMs)

beforeAll(async () => {
  service = await startService({ world: 'demo', now })
})
afterAll(() => service.close())
beforeEach(async () => {
  lateMs = 0
  customer = await service.customer()
  owner = await signIn(service, { accountRef: customer.accountRef })
})

const path = '/dashboard/keys'
type Key = { key_ref: string; name: string | null; last_four: string; requests: number; credits: number } & {
  safe_to_delete: boolean
  requests_since_replaced: number | null
}
const listed = async (person = owner) => (await person.read(path)).body.data
const keysOf = async (person = owner): Promise<Key[]> => (await listed(person)).keys
const keyIn = (page: string) => page.match(/client_[0-9A-Za-z]{38}/)?.[0] as string
const verdict = '/v1/domains/resolve?domain=luckyotter.example'
const flushed = async () => {
  await service.service.usage.flush()
  await service.service.keys.flush()
}

async function create(name: string, person = owner): Promise<string> {
  const { nonce } = await listed(person)
  const { text } = await person.post(path, { name, nonce })
  return keyIn(text)
}

describe('POST /dashboard/keys', () => {
  test('shows the key once, on the page alone, and it works at once', async () => {
    const { nonce } = await listed()
    const { status, text, headers } = await owner.post(path, { name: 'Billing <server>', nonce })
    const key = keyIn(text)
    expect([status, headers.get('cache-control'), headers.get('location')]).toEqual([
      200,
      'private, no-store',
      null,
    ])
    expect(text).toContain('Billing &lt;server&gt;')
    expect((await service.ask('/v1/account', { key })).status).toBe(200)
    const list = await owner.get(path)
    expect(list.text).not.toContain(key)
    expect(list.text).toContain(`…${key.slice(-4)}`)
  })

  test('a form that is sent again creates nothing, and says so', async () => {
    const fields = { name: 'Twice', nonce: (await listed()).nonce }
    const first = await owner.post(path, fields)
    const again = await owner.post(path, fields)
    expect(keyIn(first.text)).toBeDefined()
    expect([again.status, again.text.includes('created already'), keyIn(again.text)]).toEqual([
      200,
      true,
      undefined,
    ])
    expect((await keysOf()).filter(key => key.name === 'Twice')).toHaveLength(1)
  })

  test('a day that has passed, and a name of blanks, are refused beside the form', async () => {
    const { nonce } = await listed()
    const past = await owner.post(path, { name: 'Old', expires: '2020-01-01', nonce })
    expect([past.status, past.text.includes('a day to come')]).toEqual([400, true])
    expect((await owner.post(path, { name: '  ', nonce })).status).toBe(400)
    expect((await owner.post(path, { name: 'x'.repeat(101), nonce })).status).toBe(400)
  })

  test('a key with a day is refused from that day on', async () => {
    const tomorrow = new Date(Date.now() + dayMs).toISOString().slice(0, 10)
    const { text } = await owner.post(path, {
      name: 'Short',
      expires: tomorrow,
      nonce: (await listed()).nonce,
    })
    const key = keyIn(text)
    expect((await service.ask('/v1/account', { key })).status).toBe(200)
    lateMs = 2 * dayMs
    expect((await service.ask('/v1/account', { key })).status).toBe(401)
  })

  test('an account has at most 100 keys', async () => {
    const full = await service.customer()
    const other = await signIn(service, { accountRef: full.accountRef })
    for (let count = 1; count < 100; count += 1) await create(`Key ${count}`, other)
    const { status, text } = await other.post(path, { name: 'One more', nonce: (await listed(other)).nonce })
    expect([status, text.includes('at most 100 keys')]).toEqual([400, true])
  })
})

test('each key has the requests and credits of its own', async () => {
  const [one, two] = [await create('One'), await create('Two')]
  await service.ask(verdict, { key: one })
  await service.ask(verdict, { key: one })
  await service.ask('/v1/account', { key: two })
  await flushed()
  const byName = new Map((await keysOf()).map(key => [key.name, [key.requests, key.credits]]))
  expect([byName.get('One'), byName.get('Two')]).toEqual([
    [2, 2],
    [1, 0],
  ])
})

test('rotation: both keys work, and the old one is safe to delete after a day without a call', async () => {
  const old = await create('Rotated')
  const [before] = (await keysOf()) as [Key]
  const { text } = await owner.post(`${path}/${before.key_ref}/rotate`, { nonce: (await listed()).nonce })
  const fresh = keyIn(text)
  lateMs = minuteMs
  for (const key of [old, fresh]) expect((await service.ask('/v1/account', { key })).status).toBe(200)
  await flushed()
  const find = async () => (await keysOf()).find(key => key.key_ref === before.key_ref) as Key
  expect(await find()).toMatchObject({ name: 'Rotated', requests_since_replaced: 1, safe_to_delete: false })
  lateMs = dayMs + 5 * minuteMs
  owner = await signIn(service, { accountRef: customer.accountRef })
  expect(await find()).toMatchObject({ safe_to_delete: true })
  expect((await owner.get(path)).text).toContain('safe to delete')
})

test('a deleted key is refused within 5 seconds, and leaves the list', async () => {
  const key = await create('Gone')
  const ref = (await keysOf()).find(each => each.name === 'Gone')?.key_ref as string
  expect((await owner.post(`${path}/${ref}/delete`)).headers.get('location')).toBe(path)
  expect((await keysOf()).some(each => each.key_ref === ref)).toBe(false)
  await expect
    .poll(async () => (await service.ask('/v1/account', { key })).status, { timeout: 5_000 })
    .toBe(401)
  expect((await owner.post(`${path}/${ref}/delete`)).status).toBe(404)
})

test('changes are recorded with who made them, and without the key', async () => {
  const key = await create('Audited')
  const events = await service.service.live.database
    .selectFrom('audit_events')
    .select(['email', 'action', 'details'])
    .where('email', '=', owner.email)
    .where('action', '=', 'key.created')
    .execute()
  expect(events).toEqual([
    { email: owner.email, action: 'key.created', details: { name: 'Audited', last_four: key.slice(-4) } },
  ])
})

test('only owners see keys; another account’s key answers as none', async () => {
  for (const role of ['member', 'billing'] as const) {
    const person = await signIn(service, { accountRef: customer.accountRef, role })
    expect((await person.get(path)).status).toBe(404)
    expect((await person.post(path, { name: 'Mine' })).status).toBe(404)
  }
  await create('Theirs')
  const [{ key_ref: ref }] = (await keysOf()) as [Key]
  const other = await service.customer()
  const stranger = await signIn(service, { accountRef: other.accountRef })
  const { nonce } = await listed(stranger)
  const json = { accept: 'application/json' }
  for (const [end, fields] of [
    ['delete', {}],
    ['rotate', { nonce }],
  ] as const) {
    const theirs = await stranger.post(`${path}/${ref}/${end}`, fields, json)
    const none = await stranger.post(`${path}/key_x/${end}`, fields, json)
    expect([theirs.status, theirs.body.errors]).toEqual([404, none.body.errors])
  }
})

test('a change needs a sign-in of the last 15 minutes', async () => {
  const { nonce } = await listed()
  lateMs = 16 * minuteMs
  const { status, headers } = await owner.post(path, { name: 'Late', nonce })
  expect([status, headers.get('location')]).toEqual([303, `/sign-in?next=${encodeURIComponent(path)}`])
})

describe('the overview', () => {
  test('shows what was spent, and how long the balance lasts', async () => {
    await customer.ask(verdict)
    await flushed()
    const { body } = await owner.read('/dashboard')
    expect(body.data).toMatchObject({ credits_spent: 1, days_left: 29_970 })
    expect((await owner.get('/dashboard')).text).toContain('the balance lasts more than two years')
  })

  test('an internal account has no quota', async () => {
    const { accountRef } = await service.customer({ plan: 'internal' })
    const person = await signIn(service, { accountRef })
    expect((await person.get('/dashboard')).text).toContain('no quota')
  })
})
