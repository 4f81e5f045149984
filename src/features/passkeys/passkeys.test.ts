import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Customer, startService, type TestService } from '../../../test/harness/service.ts'
import { type Person, signIn } from '../../../test/harness/sign-in.ts'
import { createLink } from '../sessions/index.ts'

// The test test/browser/passkeys.test.ts creates and uses a passkey in a real browser.

let service: TestService
let customer: Customer
let person: Person

beforeAll(async () => {
  service = await startService({ isReachable: true })
  customer = await service.customer()
  person = await signIn(service, { accountRef: customer.accountRef })
})
afterAll(() => service.close())

const security = '/dashboard/security'
const json = { accept: 'application/json' }
const post = (path: string, fields: Record<string, string> = {}) =>
  service.ask(path, {
    method: 'POST',
    headers: {
      ...json,
      'content-type': 'application/x-www-form-urlencoded',
      'sec-fetch-site': 'same-origin',
    },
    body: new URLSearchParams(fields).toString(),
  })

test('the offer to sign in by passkey identifies no person, and differs each time', async () => {
  const [one, other] = [await post('/sign-in/passkey/offer'), await post('/sign-in/passkey/offer')]
  expect(one.status).toBe(200)
  expect(one.body.data.options.allowCredentials ?? []).toEqual([])
  expect(one.body.data.options.challenge).not.toBe(other.body.data.options.challenge)
})

test.each(['', 'no json', '{}', '{"id":"AAAA"}', `{"id":"${'A'.repeat(30_000)}"}`])(
  "an answer that is not a passkey's signs nobody in: %.20s",
  async response => {
    const { status, headers } = await post('/sign-in/passkey', { response })
    expect([status, headers.get('set-cookie')]).toEqual([404, null])
  },
)

test('a form of another site cannot ask for a passkey', async () => {
  const { status } = await service.ask('/sign-in/passkey/offer', {
    method: 'POST',
    headers: { ...json, 'sec-fetch-site': 'cross-site', 'content-type': 'application/x-www-form-urlencoded' },
    body: '',
  })
  expect(status).toBe(403)
})

test('a made-up passkey is not registered', async () => {
  const offer = await person.post(`${security}/passkeys/offer`, {}, json)
  expect(offer.body.data.options.rp.id).toBe('localhost')
  const fields = { name: 'Mine', response: '{"id":"AAAA","type":"public-key"}' }
  const { status, text } = await person.post(`${security}/passkeys`, fields)
  expect([status, text.includes('The passkey was not accepted.')]).toEqual([400, true])
  expect((await person.read(security)).body.data.passkeys).toEqual([])
})

test("another person's passkey answers like a missing one", async () => {
  expect((await person.post(`${security}/passkeys/AAAA/delete`, {}, json)).status).toBe(404)
})

describe('sessions of a person', () => {
  test('a person sees all sessions, and can end all others at once', async () => {
    const again = await signIn(service, { email: person.email })
    const { sessions } = (await person.read(security)).body.data
    expect(sessions.filter((each: { is_this: boolean }) => each.is_this)).toHaveLength(1)
    expect(sessions.length).toBe(2)
    expect((await person.post(`${security}/sessions/end`)).status).toBe(303)
    expect((await again.read(security)).status).toBe(401)
    expect((await person.read(security)).status).toBe(200)
  })
})

test('the security page says why passkeys do not work at an address without a host name', async () => {
  const plain = await startService()
  try {
    const { accountRef } = await plain.customer()
    const somebody = await signIn(plain, { accountRef })
    expect((await somebody.get(security)).text).toContain('Passkeys need an address with https')
    expect((await somebody.post(`${security}/passkeys/offer`, {}, json)).status).toBe(400)
    const offer = await plain.ask('/sign-in/passkey/offer', {
      method: 'POST',
      headers: {
        ...json,
        'sec-fetch-site': 'same-origin',
        'content-type': 'application/x-www-form-urlencoded',
      },
      body: '',
    })
    expect(offer.status).toBe(404)
  } finally {
    await plain.close()
  }
})

test('a session names its browser and can be ended, but not by another person', async () => {
  const now = service.service.now()
  const { database } = service.service.live
  const link = `/sign-in/${await createLink(database, person.email, now)}`
  const userAgent = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0 <b>x</b>'
  const headers = { 'sec-fetch-site': 'same-origin', 'user-agent': userAgent }
  const signedIn = await service.ask(link, { method: 'POST', headers })
  const cookie = signedIn.headers.getSetCookie()[0]?.split(';')[0] ?? ''
  const sessions = async () => (await person.read(security)).body.data.sessions
  const before = await sessions()
  const added = before.find((each: { browser: string | null }) => each.browser !== null)
  expect(added).toMatchObject({ browser: 'Firefox on Linux', is_this: false })
  const stranger = await signIn(service, {})
  const path = `${security}/sessions/${added.session}/end`
  expect((await stranger.post(path, {}, json)).status).toBe(404)
  expect((await service.ask('/dashboard', { headers: { cookie } })).status).toBe(200)
  expect((await person.post(path)).headers.get('location')).toBe(security)
  expect((await service.ask('/dashboard', { headers: { cookie } })).status).toBe(401)
  expect(await sessions()).toHaveLength(before.length - 1)
})
