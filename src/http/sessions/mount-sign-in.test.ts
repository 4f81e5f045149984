import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import {
  type Customer,
  type Response,
  startService,
  type TestService,
} from '../../../test/harness/service.ts'
import { type Person, signIn } from '../../../test/harness/sign-in.ts'
import { createQueue } from '../../features/enrichments/fixture.ts'
import { findUser, setMembership } from '../../features/members/index.ts'
import { createLink, linkMailTask } from '../../features/sessions/index.ts'
import { listJobs } from '../../jobs/index.ts'

const minutes = (count: number) => count * 60_000
const hours = (count: number) => minutes(60 * count)

let service: TestService
let customer: Customer
let now = new Date()

beforeAll(async () => {
  service = await startService({ now: () => now, mailFrom: 'baize@mail.test' })
  await createQueue(service)
  customer = await service.customer({ credits: 500 })
})
beforeEach(() => {
  now = new Date()
})
afterAll(() => service.close())

const later = (ms: number) => {
  now = new Date(now.getTime() + ms)
}

const browser = { accept: 'text/html' }
const ownPage = { 'sec-fetch-site': 'same-origin', 'content-type': 'application/x-www-form-urlencoded' }

const get = (path: string, headers: Record<string, string> = {}) =>
  service.ask(path, { headers: { ...browser, ...headers } })
const post = (path: string, fields: Record<string, string> = {}, headers: Record<string, string> = {}) =>
  service.ask(path, {
    method: 'POST',
    headers: { ...browser, ...ownPage, ...headers },
    body: new URLSearchParams(fields).toString(),
  })

async function linkFor({ email }: Person): Promise<string> {
  return `/sign-in/${await createLink(service.service.live.database, email, now)}`
}

const cookieIn = ({ headers }: Response) => headers.getSetCookie()[0]?.split(';')[0] ?? ''

const mailJobs = async () =>
  (await listJobs(service.service.live.database)).filter(({ task }) => task === linkMailTask.name)

describe('the request for a sign-in link', () => {
  test('the sign-in page has a form that works without a script, and is not cached', async () => {
    const page = await get('/sign-in?next=/dashboard/usage')
    expect(page.status).toBe(200)
    expect(page.text).toContain('<form class="fields" method="post" action="/sign-in">')
    expect(page.text).toContain('name="next" value="/dashboard/usage"')
    expect(page.headers.get('referrer-policy')).toBe('same-origin')
    expect(page.headers.get('cache-control')).toContain('no-store')
    expect((await service.ask('/sign-in')).body).toMatchObject({ success: true, data: { by_mail: true } })
  })

  test('a known and an unknown address get the same answer, and queue one job each', async () => {
    const { email } = await signIn(service, customer)
    const before = await mailJobs()
    const known = await post('/sign-in', { email: `  ${email.toUpperCase()} ` })
    const unknown = await post('/sign-in', { email: 'stranger@baize.test' })
    expect([known.status, unknown.status]).toEqual([200, 200])
    expect(known.text.replaceAll(email, 'X')).toBe(unknown.text.replaceAll('stranger@baize.test', 'X'))
    expect([known.headers.getSetCookie(), unknown.headers.getSetCookie()]).toEqual([[], []])
    expect((await mailJobs()).length - before.length).toBe(2)
  })

  test('text that is not an address is refused with the typed text, and queues nothing', async () => {
    const before = await mailJobs()
    for (const email of ['', 'otter', '<b>@x', 'a@b@c', 'a b@c.example', `${'x'.repeat(250)}@c.example`]) {
      const page = await post('/sign-in', { email })
      expect([email, page.status]).toEqual([email, 400])
      expect(page.text).toContain('Enter a whole e-mail address')
      expect(page.text).not.toContain('<b>@x')
    }
    const { status, body } = await post('/sign-in', { email: 'otter' }, { accept: 'application/json' })
    expect([status, body.errors.code]).toEqual([400, 'invalid_parameter'])
    expect(await mailJobs()).toEqual(before)
  })

  test('a form of another site is refused with 403 forged_request, and queues nothing', async () => {
    const before = await mailJobs()
    const origins = [
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site' },
      { 'sec-fetch-site': 'cross-site', origin: 'http://baize.test' },
    ]
    for (const headers of origins)
      expect((await post('/sign-in', { email: 'a@b.test' }, headers)).status).toBe(403)
    const bare = { 'content-type': ownPage['content-type'] }
    const asked = { method: 'POST', body: 'email=a%40b.test' }
    expect((await service.ask('/sign-in', { ...asked, headers: bare })).status).toBe(403)
    const older = { ...bare, origin: 'http://baize.test' }
    expect(await mailJobs()).toEqual(before)
    expect((await service.ask('/sign-in', { ...asked, headers: older })).status).toBe(200)
  })
})

test('without a mail server the sign-in page refers users to the operator, and queues nothing', async () => {
  const silent = await startService()
  try {
    await createQueue(silent)
    const { email } = await signIn(silent, {})
    const page = await silent.ask('/sign-in', { headers: browser })
    expect(page.text).toContain('Ask its operator for a sign-in link.')
    expect(page.text).not.toContain('name="email"')
    for (const address of [email, 'stranger@baize.test']) {
      const body = new URLSearchParams({ email: address }).toString()
      const headers = { ...browser, ...ownPage }
      const sent = await silent.ask('/sign-in', { method: 'POST', headers, body })
      expect([sent.status, sent.text]).toEqual([200, page.text])
    }
    expect(await listJobs(silent.service.live.database)).toEqual([])
  } finally {
    await silent.close()
  }
})

test('the confirmation page shows the signed-in user a command to repeat as that user', async () => {
  const commandVariables = ["export DATA_DIR='/var/lib/baize'"]
  const silent = await startService({ commandVariables })
  try {
    const person = await signIn(silent, { email: "o'otter@baize.test" })
    const path = `/sign-in?next=${encodeURIComponent('/dashboard/usage?status=200&key=a')}`
    const { text } = await person.get(path)
    expect(text).toContain('<h1>Confirm that it is you</h1>')
    const shown = /<code>([^<]+)<\/code>/.exec(text)?.[1]?.replaceAll('&#39;', "'").replaceAll('&amp;', '&')
    expect(shown).toBe(
      "export DATA_DIR='/var/lib/baize'\n" +
        "npm run baize -- user link 'o'\\''otter@baize.test' --next '/dashboard/usage?status=200&key=a'",
    )
    const stranger = await silent.ask(path, { headers: browser })
    expect(stranger.text).toContain('<h1>Sign in</h1>')
    expect(stranger.text).not.toContain('DATA_DIR')
    expect(stranger.text).toContain('user link MAIL --next')
  } finally {
    await silent.close()
  }
})

describe('a sign-in link', () => {
  test('a link that a mail scanner opened still signs in once, then answers 404 with the form', async () => {
    const person = await signIn(service, customer)
    const link = await linkFor(person)
    for (const _ of [1, 2]) {
      const page = await get(link)
      expect([page.status, page.headers.getSetCookie()]).toEqual([200, []])
      expect(page.text).toContain(`action="${link}"`)
      expect(page.text).toContain(person.email)
    }
    const signedIn = await post(link)
    expect([signedIn.status, signedIn.headers.get('location')]).toEqual([303, '/dashboard'])
    expect(signedIn.headers.getSetCookie()).toEqual([
      expect.stringMatching(/^baize_session=\w{43}; Max-Age=1209600; Path=\/; HttpOnly; SameSite=Lax$/),
    ])
    expect((await get('/dashboard', { cookie: cookieIn(signedIn) })).status).toBe(200)
    for (const replay of [await post(link), await get(link)]) {
      expect([replay.status, replay.headers.getSetCookie()]).toEqual([404, []])
      expect(replay.text).toContain('It was used, or is older than 10 minutes.')
      expect(replay.text).toContain('action="/sign-in"')
    }
    const { status, body } = await post(link, {}, { accept: 'application/json' })
    expect([status, body.errors.code]).toEqual([404, 'not_found'])
  })

  test('a sign-in ends all older links of the user, and newer links stay valid', async () => {
    const person = await signIn(service, customer)
    const [older, used] = [await linkFor(person), await linkFor(person)]
    later(1)
    const newer = await linkFor(person)
    expect((await post(used)).status).toBe(303)
    expect([(await post(older)).status, (await post(newer)).status]).toEqual([404, 303])
  })

  test('a link that is submitted twice at once signs in once', async () => {
    const link = await linkFor(await signIn(service, customer))
    const answers = await Promise.all([1, 2, 3, 4].map(() => post(link)))
    expect(answers.map(each => each.status).toSorted()).toEqual([303, 404, 404, 404])
  })

  test('a link expires after 10 minutes, and then answers like an unknown link', async () => {
    const link = await linkFor(await signIn(service, customer))
    later(minutes(10) - 1)
    expect((await get(link)).status).toBe(200)
    later(1)
    const ended = await post(link)
    const unknown = await post(`/sign-in/${'x'.repeat(43)}`)
    expect([ended.status, unknown.status, (await post('/sign-in/short')).status]).toEqual([404, 404, 404])
    expect(ended.text).toBe(unknown.text)
  })

  test('a link that another site submits signs in nobody, and stays valid', async () => {
    const link = await linkFor(await signIn(service, customer))
    const forged = await post(link, {}, { 'sec-fetch-site': 'cross-site' })
    expect([forged.status, forged.headers.getSetCookie()]).toEqual([403, []])
    expect((await post(link)).status).toBe(303)
  })

  test('a link leads to the requested page, if it is below /dashboard', async () => {
    const person = await signIn(service, customer)
    const locationOf = async (next: string) => {
      const link = `${await linkFor(person)}?next=${encodeURIComponent(next)}`
      const page = await get(link)
      const action = /action="([^"]+)"/.exec(page.text)?.[1] ?? ''
      return (await post(action)).headers.get('location')
    }
    for (const next of ['/dashboard/usage?status=200&key=a%26b', '/dashboard/keys', '/dashboard'])
      expect(await locationOf(next)).toBe(next)
    const elsewhere = [
      ...['//evil.example', '/\\evil.example', 'https://evil.example/dashboard', '/dashboardx'],
      ...['/dashboard/../docs', '/dashboard/%2e%2e/docs', '/\t/evil.example', 'javascript:alert(1)'],
      ...['//evil.example/dashboard', '/docs', '', `/dashboard/${'x'.repeat(3_000)}`],
    ]
    for (const next of elsewhere) expect([next, await locationOf(next)]).toEqual([next, '/dashboard'])
  })
})

test('a change of members 15 minutes after the sign-in needs another sign-in, and is not made', async () => {
  const person = await signIn(service, customer)
  const fields = { email: 'new@customer.example', role: 'member' }
  const add = (cookie: string) => post('/dashboard/members', fields, { cookie })
  const isMember = async (cookie: string) =>
    (await get('/dashboard/members', { cookie })).text.includes(fields.email)
  later(minutes(15) + 1)
  expect((await add(person.cookie)).headers.get('location')).toBe('/sign-in?next=%2Fdashboard%2Fmembers')
  expect(await isMember(person.cookie)).toBe(false)
  const asked = await post('/dashboard/members', fields, {
    cookie: person.cookie,
    accept: 'application/json',
  })
  expect([asked.status, asked.body.errors.code]).toEqual([401, 'signed_out'])
  const form = await get('/sign-in?next=%2Fdashboard%2Fmembers', { cookie: person.cookie })
  expect(form.text).toContain(`value="${person.email}"`)
  const link = `${await linkFor(person)}?next=%2Fdashboard%2Fmembers`
  const again = await post(link, {}, { cookie: person.cookie })
  expect(again.headers.get('location')).toBe('/dashboard/members')
  later(minutes(15))
  expect((await add(cookieIn(again))).status).toBe(303)
  expect(await isMember(cookieIn(again))).toBe(true)
})

describe('a session', () => {
  test("a session gets a new id at each sign-in, and the browser's old id is invalid", async () => {
    const person = await signIn(service, customer)
    const signedIn = await post(await linkFor(person), {}, { cookie: person.cookie })
    expect(cookieIn(signedIn)).not.toBe(person.cookie)
    expect((await person.get('/dashboard')).status).toBe(303)
    expect((await get('/dashboard', { cookie: cookieIn(signedIn) })).status).toBe(200)
  })

  test('the session cookie is limited to https and its host only if BASE_URL is https', async () => {
    const { settings } = service.service
    const link = await linkFor(await signIn(service, customer))
    const { baseUrl } = settings
    settings.baseUrl = 'https://baize.test'
    const signedIn = await post(link).finally(() => {
      settings.baseUrl = baseUrl
    })
    expect(signedIn.headers.getSetCookie()).toEqual([
      expect.stringMatching(/^__Host-baize_session=\w{43}; .*Path=\/; HttpOnly; Secure; SameSite=Lax$/),
    ])
  })

  test('a sign-in never reuses a session id that the browser already had', async () => {
    const person = await signIn(service, customer)
    const fixed = `baize_session=${'f'.repeat(43)}`
    const signedIn = await post(await linkFor(person), {}, { cookie: fixed })
    expect(cookieIn(signedIn)).not.toBe(fixed)
    expect((await get('/dashboard', { cookie: fixed })).status).toBe(303)
  })

  test('after another sign-in of the same user a session shows the same account as before', async () => {
    const second = await service.customer({ credits: 7 })
    const { database } = service.service.live
    const person = await signIn(service, customer)
    const other = await signIn(service, { ...second, email: person.email })
    await other.post('/dashboard/account', { account_ref: second.accountRef })
    const again = await post(await linkFor(other), {}, { cookie: other.cookie })
    const overview = await service.ask('/dashboard', { headers: { cookie: cookieIn(again) } })
    expect(overview.body.data.account.available_credits).toBe(7)
    const stranger = await signIn(service, customer)
    const user = await findUser(database, stranger.email)
    expect(user).not.toBeNull()
    const taken = await post(await linkFor(stranger), {}, { cookie: cookieIn(again) })
    const theirs = await service.ask('/dashboard', { headers: { cookie: cookieIn(taken) } })
    expect(theirs.body.data.account.available_credits).toBe(500)
  })

  test('a sign-out ends a session, so that a stolen cookie opens nothing', async () => {
    const person = await signIn(service, customer)
    expect((await person.post('/sign-out', {}, { 'sec-fetch-site': 'cross-site' })).status).toBe(403)
    expect((await person.get('/dashboard')).status).toBe(200)
    const out = await person.post('/sign-out')
    expect([out.status, out.headers.get('location')]).toEqual([303, '/sign-in'])
    expect(out.headers.getSetCookie()[0]).toMatch(/^baize_session=;.*Expires=Thu, 01 Jan 1970/)
    expect((await person.get('/dashboard')).headers.get('location')).toBe('/sign-in?next=%2Fdashboard')
    expect((await person.read('/dashboard')).body.errors.code).toBe('signed_out')
    expect((await post('/sign-out')).status).toBe(303)
  })

  test('without a session, a form and a part of a page lead to the sign-in for the whole page', async () => {
    const sent = await post('/dashboard/account', { account_ref: 'acc_x' })
    expect([sent.status, sent.headers.get('location')]).toEqual([303, '/sign-in?next=%2Fdashboard'])
    const partial = await get('/dashboard/feeds?feed=signals', { 'hx-request': 'true' })
    expect([partial.status, partial.headers.get('hx-redirect')]).toEqual([
      204,
      '/sign-in?next=%2Fdashboard%2Ffeeds%3Ffeed%3Dsignals',
    ])
  })

  test('staff without an account see the pages of staff instead of the overview', async () => {
    const staff = await signIn(service, { isStaff: true })
    const page = await staff.get('/dashboard')
    expect([page.status, page.headers.get('location')]).toEqual([303, '/dashboard/staff'])
    expect((await staff.get('/dashboard/domains')).status).toBe(404)
  })

  test('a session ends after 12 idle hours, and after 14 days of use', async () => {
    const idle = await signIn(service, customer)
    later(hours(12) - minutes(2))
    expect((await idle.get('/dashboard')).status).toBe(200)
    later(hours(12))
    expect((await idle.get('/dashboard')).status).toBe(303)
    const used = await signIn(service, customer)
    for (let hour = 8; hour < 14 * 24; hour += 8) {
      later(hours(8))
      expect((await used.get('/dashboard')).status).toBe(200)
    }
    later(hours(8))
    expect((await used.get('/dashboard')).status).toBe(303)
  })

  test('a session is updated once a minute, not at every request', async () => {
    const person = await signIn(service, customer)
    const { database } = service.service.live
    const lastUse = async () => {
      const user = await findUser(database, person.email)
      const session = await database
        .selectFrom('sessions')
        .select('last_used_at')
        .where('user_id', '=', user?.id ?? 0)
        .executeTakeFirstOrThrow()
      return session.last_used_at.getTime() - now.getTime()
    }
    later(minutes(1) - 1)
    await person.get('/dashboard')
    expect(await lastUse()).toBe(1 - minutes(1))
    later(1)
    await person.get('/dashboard')
    expect(await lastUse()).toBe(0)
  })

  test('a user who is removed from an account sees nothing of it from the next request on', async () => {
    const person = await signIn(service, customer)
    const { database } = service.service.live
    const user = await findUser(database, person.email)
    expect((await person.get('/dashboard')).status).toBe(200)
    await database
      .deleteFrom('memberships')
      .where('user_id', '=', user?.id ?? 0)
      .execute()
    const page = await person.get('/dashboard')
    expect(page.status).toBe(404)
    expect(page.text).toContain('belongs to no account')
    expect((await person.post('/dashboard/account', { account_ref: customer.accountRef })).status).toBe(404)
  })

  test('a changed role of a user applies from the next request on', async () => {
    const person = await signIn(service, { ...customer, role: 'billing' })
    expect((await person.get('/dashboard/domains')).status).toBe(404)
    const { database } = service.service.live
    const user = await findUser(database, person.email)
    const account = await database
      .selectFrom('accounts')
      .select('id')
      .where('account_ref', '=', customer.accountRef)
      .executeTakeFirstOrThrow()
    await setMembership(database, { userId: user?.id ?? 0, accountId: account.id, role: 'member', now })
    expect((await person.get('/dashboard/domains')).status).toBe(200)
  })
})
