import { randomUUID } from 'node:crypto'
import { pino } from 'pino'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type Customer, startService, type TestService } from '../../../test/harness/service.ts'
import { type Person, signIn } from '../../../test/harness/sign-in.ts'
import { dayMs } from '../../core/time.ts'
import { createKey, sumUsageDays } from './index.ts'

const minuteMs = 60_000

let service: TestService
let customer: Customer
let owner: Person
let lateMs = 0
const logged: string[] = []
const now = () => new Date(Date.now() + lateMs)

beforeAll(async () => {
  service = await startService({
    world: 'demo',
    now,
    log: pino({ level: 'trace' }, { write: line => void logged.push(line) }),
  })
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
  test('POST /dashboard/keys shows a working key once, on its page alone', async () => {
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

  test('a form for a new key that is sent again creates no second key, and the page says so', async () => {
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

  test('the same form sent twice at once creates one key', async () => {
    const fields = { name: 'At once', nonce: (await listed()).nonce }
    const pages = await Promise.all([1, 2, 3, 4].map(() => owner.post(path, fields)))
    expect(pages.map(({ status }) => status)).toEqual([200, 200, 200, 200])
    expect(pages.filter(({ text }) => keyIn(text) !== undefined)).toHaveLength(1)
    expect((await keysOf()).filter(key => key.name === 'At once')).toHaveLength(1)
  })

  test('a nonce that another account has used does not prevent the creation of a key', async () => {
    const { accountRef } = await service.customer()
    const other = await signIn(service, { accountRef })
    const fields = { name: 'Same nonce', nonce: randomUUID() }
    for (const person of [owner, other]) expect(keyIn((await person.post(path, fields)).text)).toBeDefined()
  })

  test('the JSON answer to a new key contains the key, and no log does', async () => {
    const fields = { name: 'By program', nonce: randomUUID() }
    const { status, body } = await owner.post(path, fields, { accept: 'application/json' })
    expect([status, body.data]).toEqual([
      200,
      { key_ref: expect.stringMatching(/^key_/), name: 'By program', api_key: expect.any(String) },
    ])
    await service.ask('/v1/account', { key: body.data.api_key })
    expect([logged.length > 0, logged.join('').includes(body.data.api_key)]).toEqual([true, false])
  })

  test('an expiry day in the past and a blank key name are refused beside their fields', async () => {
    const { nonce } = await listed()
    const past = await owner.post(path, { name: 'Old', expires: '2020-01-01', nonce })
    expect([past.status, past.text.includes('a day to come')]).toEqual([400, true])
    expect((await owner.post(path, { name: '  ', nonce })).status).toBe(400)
    expect((await owner.post(path, { name: 'x'.repeat(101), nonce })).status).toBe(400)
  })

  test('a key with an expiry day is refused from that day on', async () => {
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

describe('GET /dashboard/keys', () => {
  test('an account without a key sees how to create one', async () => {
    const [{ key_ref: ref }] = (await keysOf()) as [Key]
    await owner.post(`${path}/${ref}/delete`)
    expect((await owner.get(path)).text).toContain('No key yet.')
  })

  test('GET /dashboard/keys contains no key and no internal id', async () => {
    const key = await create('Listed')
    const { text, body } = await owner.read(path)
    expect(text).not.toContain(key)
    expect(body.data.keys[0]).toEqual({
      key_ref: expect.stringMatching(/^key_/),
      name: 'Listed',
      last_four: key.slice(-4),
      created_at: expect.any(String),
      last_used_at: null,
      expires_at: null,
      is_expired: false,
      requests: 0,
      credits: 0,
      replaced_at: null,
      requests_since_replaced: null,
      safe_to_delete: false,
    })
  })

  test('GET /dashboard/keys lists 200 keys, and shows markup in their names as text', async () => {
    const { accountRef } = customer
    const names = ['<img src=x onerror=alert(1)>', '"quoted"', 'x'.repeat(100), '', ' ']
    for (let count = 1; count < 200; count += 1)
      await createKey(service.service.live, accountRef, { name: names[count - 1] ?? `Key ${count}` })
    const { text } = await owner.get(path)
    expect(text.match(/<tr>/g)).toHaveLength(1 + 200)
    expect(text).toContain('&lt;img src=x onerror=alert(1)&gt;')
    expect(text).not.toContain('<img src=x')
    expect(text.match(/without a name/g)).toHaveLength(3)
    const { status, text: refused } = await owner.post(path, { name: 'One more', nonce: randomUUID() })
    expect([status, refused.includes('at most 100 keys')]).toEqual([400, true])
  })
})

test("GET /dashboard/keys shows each key's requests and credits, without dashboard requests", async () => {
  const [one, two] = [await create('One'), await create('Two')]
  const lookUp = { max_credits: '5', nonce: randomUUID() }
  expect((await owner.post('/dashboard/domains/luckyotter.example', lookUp)).status).toBe(303)
  await service.ask(verdict, { key: one })
  await service.ask(verdict, { key: one })
  await service.ask('/v1/account', { key: two })
  await flushed()
  const byName = new Map((await keysOf()).map(key => [key.name, [key.requests, key.credits]]))
  expect([...byName]).toEqual([
    ['Two', [1, 0]],
    ['One', [2, 2]],
    [null, [0, 0]],
  ])
  expect((await customer.ask('/v1/account')).body.data.credits_used).toBe(3)
})

describe('POST /dashboard/keys/{key_ref}/rotate', () => {
  const rotate = (key: Key, nonce = randomUUID() as string) =>
    owner.post(`${path}/${key.key_ref}/rotate`, { nonce })
  const find = async ({ key_ref: ref }: Key) => (await keysOf()).find(key => key.key_ref === ref) as Key
  const signInAgain = async () => {
    owner = await signIn(service, { accountRef: customer.accountRef })
  }

  test('a rotated key still works, and is safe to delete after a day without requests', async () => {
    const old = await create('Rotated')
    const [before] = (await keysOf()) as [Key]
    const { status, text } = await rotate(before)
    const fresh = keyIn(text)
    expect([status, fresh === old]).toEqual([200, false])
    lateMs = minuteMs
    for (const key of [old, fresh]) expect((await service.ask('/v1/account', { key })).status).toBe(200)
    await flushed()
    const { key_ref: freshRef } = (await keysOf())[0] as Key
    expect(freshRef).not.toBe(before.key_ref)
    expect(await find(before)).toMatchObject({
      name: 'Rotated',
      requests_since_replaced: 1,
      safe_to_delete: false,
    })
    expect((await owner.get(path)).text).toContain('One call since')
    lateMs = dayMs + 5 * minuteMs
    await signInAgain()
    expect(await find(before)).toMatchObject({ safe_to_delete: true })
    expect((await owner.get(path)).text).toContain('safe to delete')
  })

  test('requests with a replaced key are counted over days, before and after days are summed', async () => {
    const old = await create('Straggler')
    const [before] = (await keysOf()) as [Key]
    await service.ask('/v1/account', { key: old })
    lateMs = minuteMs
    await rotate(before)
    for (const days of [0, 1, 2, 3]) {
      lateMs = 2 * minuteMs + days * dayMs
      for (let count = 0; count <= days; count += 1) await service.ask('/v1/account', { key: old })
    }
    await flushed()
    await signInAgain()
    expect(await find(before)).toMatchObject({ requests_since_replaced: 10 })
    await sumUsageDays(service.service.live.database, now())
    expect(await find(before)).toMatchObject({ requests_since_replaced: 10 })
  })

  test('a rotation form that is sent again creates no second key, and the page says so', async () => {
    await create('Twice rotated')
    const [key] = (await keysOf()) as [Key]
    const nonce = randomUUID()
    await rotate(key, nonce)
    const { status, text } = await rotate(key, nonce)
    expect([status, text.includes('created already'), keyIn(text)]).toEqual([200, true, undefined])
    expect((await keysOf()).filter(({ name }) => name === 'Twice rotated')).toHaveLength(2)
  })

  test('a rotation form without a nonce is refused', async () => {
    const [key] = (await keysOf()) as [Key]
    expect((await owner.post(`${path}/${key.key_ref}/rotate`)).status).toBe(400)
  })

  test('the replacement of a key that expires does not expire, and the page says so beforehand', async () => {
    const expires = new Date(Date.now() + 2 * dayMs).toISOString().slice(0, 10)
    await owner.post(path, { name: 'Expiring', expires, nonce: randomUUID() })
    const [key] = (await keysOf()) as [Key]
    expect((await owner.get(path)).text).toContain('without an expiry')
    await rotate(key)
    expect((await listed()).keys[0]).toMatchObject({ name: 'Expiring', expires_at: null })
  })
})

test('a deleted key is refused within 5 seconds, and leaves the list', async () => {
  const key = await create('Gone')
  expect((await service.ask('/v1/account', { key })).status).toBe(200)
  const ref = (await keysOf()).find(each => each.name === 'Gone')?.key_ref as string
  expect((await owner.post(`${path}/${ref}/delete`)).headers.get('location')).toBe(path)
  expect((await keysOf()).some(each => each.key_ref === ref)).toBe(false)
  await expect
    .poll(async () => (await service.ask('/v1/account', { key })).status, { timeout: 5_000 })
    .toBe(401)
  const again = await owner.post(`${path}/${ref}/delete`)
  expect([again.status, again.text.includes('There is no such key')]).toEqual([404, true])
})

test('changes of keys are recorded with their author, and without the key', async () => {
  const key = await create('Audited')
  const [{ key_ref: old }] = (await keysOf()) as [Key]
  const fresh = keyIn((await owner.post(`${path}/${old}/rotate`, { nonce: randomUUID() })).text)
  const [{ key_ref: replacement }] = (await keysOf()) as [Key]
  await owner.post(`${path}/${old}/delete`)
  const events = await service.service.live.database
    .selectFrom('audit_events')
    .select(['action', 'subject', 'details'])
    .where('email', '=', owner.email)
    .orderBy('id')
    .execute()
  const [before, after] = [key, fresh].map(each => ({ name: 'Audited', last_four: each.slice(-4) }))
  expect(events).toEqual([
    { action: 'key.created', subject: old, details: before },
    { action: 'key.created', subject: replacement, details: after },
    { action: 'key.rotated', subject: old, details: { ...before, new_key_ref: replacement } },
    { action: 'key.deleted', subject: old, details: before },
  ])
})

test('only owners see keys, and a key of another account answers 404', async () => {
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
    const { timestamp: _, ...answer } = none.body
    expect([theirs.status, theirs.body]).toEqual([404, expect.objectContaining(answer)])
  }
})

test('a change of keys needs a sign-in within the last 15 minutes', async () => {
  const { nonce } = await listed()
  lateMs = 16 * minuteMs
  const [{ key_ref: ref }] = (await keysOf()) as [Key]
  for (const [to, fields] of [
    [path, { name: 'Late', nonce }],
    [`${path}/${ref}/rotate`, { nonce }],
    [`${path}/${ref}/delete`, {}],
  ] as const) {
    const { status, headers } = await owner.post(to, fields as Record<string, string>)
    expect([status, headers.get('location')]).toEqual([303, `/sign-in?next=${encodeURIComponent(path)}`])
  }
  expect(await keysOf()).toHaveLength(1)
})
