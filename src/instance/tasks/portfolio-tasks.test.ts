import { createHmac } from 'node:crypto'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type MailServer, startMailServer } from '../../../test/harness/mail-server.ts'
import { signIn } from '../../../test/harness/sign-in.ts'
import { hourMs, minuteMs, type Notified, startNotified } from './fixture.ts'

let mailServer: MailServer
let world: Notified
beforeEach(async () => {
  mailServer = await startMailServer()
  world = await startNotified({ smtpUrl: mailServer.url, from: 'Baize <baize@mail.test>' })
})
afterEach(async () => {
  await world.close()
  await mailServer.close()
})

/** Verifies as the library standardwebhooks does. */
function signature(secret: string, id: string, timestamp: string, body: string): string {
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64')
  return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`
}

const answer = (status: number, headers = {}) =>
  world.receiver.answer('/hook', response => void response.writeHead(status, headers).end())
const hook = () => ({ url: `${world.receiver.url}/hook` })

test('a webhook has the number of new changes and nothing else, and its signature verifies', async () => {
  // Made by the library standardwebhooks 1.1.1.
  const known = [
    'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
    'msg_p5jXN8AQM9LWM0D4loKWxJek',
    '1614265330',
  ] as const
  expect(signature(...known, '{"test": 2432232314}')).toBe('v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=')

  answer(204)
  const { secret } = (await world.put({ notify: hook() })).body.data.notify
  expect(secret).toMatch(/^whsec_[\w+/]{32}$/)
  expect((await world.put({ notify: hook() })).body.data.notify).toBeUndefined()
  await world.list('one.example', 'other.example')
  await world.pass(minuteMs)
  const [request] = world.receiver.requests
  if (request === undefined) throw new Error('no webhook arrived')
  const { 'webhook-id': id, 'webhook-timestamp': at, 'webhook-signature': signed } = request.headers
  expect(signed).toBe(signature(secret, String(id), String(at), request.body))
  expect(JSON.parse(request.body)).toEqual({
    portfolio: 'merchants',
    changes: 1,
    position: (await world.customer.ask('/v1/portfolios/merchants')).body.data.position,
    at: '2026-11-20T08:01:00.000Z',
  })
  expect(JSON.stringify([request.headers, request.body])).not.toMatch(/one\.example|licensed/)
  expect((await world.notify()).url).toEqual({
    to: hook().url,
    last_sent_at: '2026-11-20T08:01:00.000Z',
    last_outcome: 'delivered',
    disabled_at: null,
  })
})

test('at most one message an hour is sent, which counts all changes since the last one', async () => {
  answer(200)
  await world.put({ notify: hook() })
  await world.list('one.example')
  await world.pass(minuteMs)
  await world.list('two.example')
  await world.pass(58 * minuteMs, minuteMs)
  expect(world.receiver.requests).toHaveLength(1)
  await world.pass(3 * minuteMs, minuteMs)
  expect(world.receiver.requests.map(({ body }) => JSON.parse(body).changes)).toEqual([1, 2])
  await world.pass(5 * hourMs, hourMs)
  expect(world.receiver.requests).toHaveLength(2)
})

test('a webhook that was away for a day gets one message with all changes', async () => {
  answer(503)
  await world.put({ notify: hook() })
  await world.list('one.example')
  await world.pass(minuteMs)
  await world.list('one.example', 'two.example')
  await world.pass(24 * hourMs, 10 * minuteMs)
  const tries = world.receiver.requests.splice(0)
  expect(tries).toHaveLength(8)
  expect(new Set(tries.map(({ headers }) => headers['webhook-id'])).size).toBe(1)
  expect((await world.notify()).url).toMatchObject({ last_outcome: 'status 503', disabled_at: null })
  answer(200)
  await world.pass(24 * hourMs, 10 * minuteMs)
  const counted = world.receiver.requests.map(({ body }) => JSON.parse(body).changes)
  expect(counted.reduce((sum, each) => sum + each, 0)).toBe(2)
  expect((await world.notify()).url.last_outcome).toBe('delivered')
})

test('a webhook is disabled by 410 at once, else after three days, until it is sent again', async () => {
  answer(410)
  await world.put({ notify: hook() })
  await world.list('one.example')
  await world.pass(minuteMs)
  expect((await world.notify()).url).toMatchObject({
    last_outcome: 'status 410',
    disabled_at: '2026-11-20T08:01:00.000Z',
  })
  await world.list()
  await world.pass(2 * hourMs, hourMs)
  expect(world.receiver.requests).toHaveLength(1)

  answer(500)
  await world.put({ notify: hook() })
  expect((await world.notify()).url.disabled_at).toBeNull()
  await world.pass(71 * hourMs, hourMs)
  expect((await world.notify()).url.disabled_at).toBeNull()
  await world.pass(26 * hourMs, hourMs)
  expect((await world.notify()).url.disabled_at).not.toBeNull()
})

test('a webhook is not sent to private addresses, over plain http, or along a redirect', async () => {
  answer(307, { location: 'http://169.254.169.254/latest' })
  await world.put({ notify: hook() })
  await world.list('one.example')
  await world.pass(minuteMs)
  expect((await world.notify()).url.last_outcome).toBe('status 307')
  expect(world.receiver.requests).toHaveLength(1)
  const outcomeOf = async (url: string) => {
    await world.put({ notify: null })
    await world.put({ notify: { url } })
    await world.list(...((await world.notify()).url.to.length % 2 === 0 ? ['two.example'] : []))
    await world.list('one.example')
    await world.pass(minuteMs)
    return (await world.notify()).url.last_outcome
  }
  expect(await outcomeOf('https://10.1.2.3/hook')).toBe('refused address')
  expect(await outcomeOf('http://receiver.example/hook')).toBe('not https')
  for (const url of ['ftp://receiver.example', 'https://user:word@receiver.example/', 'receiver'])
    expect([url, (await world.put({ notify: { url } })).status]).toEqual([url, 422])
})

test('a mail goes to a member of the account only, with the number of changes and a link', async () => {
  const { accountRef } = world.customer
  const { email } = await signIn(world.service, { accountRef, role: 'member' })
  const stranger = await signIn(world.service, { accountRef: (await world.service.customer()).accountRef })
  const refused = await world.put({ notify: { email: stranger.email } })
  expect([refused.status, refused.body.errors.details.parameter]).toEqual([422, 'notify.email'])
  await world.put({ notify: { email: email.toUpperCase() } })
  await world.list('one.example', 'two.example')
  await world.pass(minuteMs)
  const [mail] = mailServer.mails
  expect(mail?.to).toEqual([email])
  expect(mail?.text).toContain('2 new changes in your portfolio merchants')
  expect(mail?.text).toContain('https://baize.test/dashboard/portfolios/merchants')
  expect(mail?.text).not.toMatch(/one\.example|licensed/)

  await world.service.service.live.database.deleteFrom('memberships').execute()
  await world.list()
  await world.pass(2 * hourMs, hourMs)
  expect(mailServer.mails).toHaveLength(1)
  expect((await world.notify()).email).toMatchObject({
    last_outcome: 'not a member',
    disabled_at: expect.any(String),
  })
})

test('changes of other portfolios send no message, and a removed notice sends none', async () => {
  answer(200)
  await world.put({ notify: hook() })
  await world.list('other.example')
  await world.pass(hourMs, minuteMs)
  expect(world.receiver.requests).toEqual([])
  await world.put({ notify: null })
  expect(await world.notify()).toBeNull()
  await world.list('one.example')
  await world.pass(hourMs, minuteMs)
  expect(world.receiver.requests).toEqual([])
})
