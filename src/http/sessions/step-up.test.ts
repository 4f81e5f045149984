import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type Customer, startService, type TestService } from '../../../test/harness/service.ts'
import { type Person, signIn } from '../../../test/harness/sign-in.ts'
import { createLink, deleteExpiredDrafts } from '../../features/sessions/index.ts'

let service: TestService
let customer: Customer
let lateMs = 0
const late = () => {
  lateMs += 16 * 60_000
}

beforeAll(async () => {
  service = await startService({ now: () => new Date(Date.now() + lateMs) })
  customer = await service.customer({ credits: 500 })
})
beforeEach(() => {
  lateMs = 0
})
afterAll(() => service.close())

const database = () => service.service.live.database
const linkFor = async ({ email }: Person) =>
  String(await createLink(database(), email, service.service.now()))

const draftsOf = ({ email }: Person) =>
  database()
    .selectFrom('sessions')
    .innerJoin('users', 'users.id', 'sessions.user_id')
    .select('draft')
    .where('email', '=', email)
    .where('draft', 'is not', null)
    .execute()

const withCookie = (person: Person, cookie: string): Person => ({
  ...person,
  cookie,
  get: path => service.ask(path, { headers: { accept: 'text/html', cookie } }),
  post: (path, fields = {}, headers = {}) => person.post(path, fields, { cookie, ...headers }),
})

/** Confirms by a pasted link, and returns the person with the new session and the page that follows. */
async function confirm(person: Person, next: string) {
  const pasted = `${service.url}/sign-in/${await linkFor(person)}?next=x`
  const answer = await person.post('/sign-in/pasted', { link: ` ${pasted} `, next })
  expect([answer.status, answer.headers.get('location')]).toEqual([303, next])
  const confirmed = withCookie(person, answer.headers.getSetCookie()[0]?.split(';')[0] ?? '')
  return { confirmed, page: (await confirmed.get(next)).text }
}

const formOf = (page: string, action: string) =>
  page.match(new RegExp(`<form[^>]*action="${action}"[^>]*>.*?</form>`, 's'))?.[0] ?? ''

describe('a form that needs a confirmation', () => {
  test('what was typed is back on the page after the confirmation, and was not sent', async () => {
    const owner = await signIn(service, customer)
    const key = { name: 'ledger <server>', expires: '2031-02-03', nonce: 'n'.repeat(22) }
    late()
    const refused = await owner.post('/dashboard/keys', key)
    expect(refused.headers.get('location')).toBe('/sign-in?next=%2Fdashboard%2Fkeys')
    expect((await owner.get('/dashboard/keys')).text).not.toContain('ledger')
    const { confirmed, page } = await confirm(owner, '/dashboard/keys')
    expect(page).toContain('press its button once more')
    const form = formOf(page, '/dashboard/keys')
    expect(form).toContain('value="ledger &lt;server&gt;"')
    expect(form).toContain('value="2031-02-03"')
    expect(form).not.toContain(key.nonce)
    const nonce = /name="nonce" value="([^"]+)"/.exec(form)?.[1] ?? ''
    expect((await confirmed.post('/dashboard/keys', { ...key, nonce })).text).toContain('shown only once')
    const after = (await confirmed.get('/dashboard/keys')).text
    expect(after).not.toContain('once more')
    expect(formOf(after, '/dashboard/keys')).not.toContain('ledger')
  })

  test('typed texts and choices come back in the form of their page, and in no other', async () => {
    const staff = await signIn(service, { ...customer, isStaff: true })
    const { user_ref: ref } = (await staff.read('/dashboard/members')).body.data.members[0]
    const { accountRef } = customer
    const forms: [page: string, action: string, fields: Record<string, string>, shown: string][] = [
      ['/dashboard/members', '/dashboard/members', { email: 'a@b.example', role: 'owner' }, 'a@b.example'],
      ['/dashboard/members', `/dashboard/members/${ref}/role`, { role: 'billing' }, '"billing" selected'],
      [
        `/dashboard/staff/accounts/${accountRef}`,
        `/dashboard/staff/accounts/${accountRef}/grants`,
        { credits: '700', note: 'invoice 7' },
        'invoice 7',
      ],
      [
        '/dashboard/staff/regimes',
        '/dashboard/staff/regimes',
        { market: 'AT', note: 'a note of mine', reason: 'the gazette' },
        'a note of mine',
      ],
    ]
    let person = staff
    for (const [page, action, fields, shown] of forms) {
      late()
      expect((await person.post(action, fields)).status).toBe(303)
      const { confirmed, page: text } = await confirm(person, page)
      person = confirmed
      expect([action, formOf(text, action).includes(shown)]).toEqual([action, true])
      const others = [...text.matchAll(/<form[^>]*action="([^"]+)"/g)].map(([, other]) => String(other))
      for (const other of others.filter(each => each !== action))
        expect([other, formOf(text, other).includes(shown)]).toEqual([other, false])
    }
  })

  test('the confirmation leads back to the tab on which the form was', async () => {
    const staff = await signIn(service, { isStaff: true })
    late()
    const send = (referer: string) =>
      staff.post('/dashboard/staff/lists/pl_x/assign', { account_ref: 'acc_x' }, { referer })
    const nextOf = async (referer: string) => (await send(referer)).headers.get('location')
    const path = '/dashboard/staff/lists'
    const sentTo = (next: string) => `/sign-in?next=${encodeURIComponent(next)}`
    expect(await nextOf(`${service.url}${path}?state=ready`)).toBe(sentTo(`${path}?state=ready`))
    expect(await nextOf('https://evil.example/dashboard')).toBe(sentTo(path))
    expect(await nextOf('no address')).toBe(sentTo(path))
  })

  test('a form that waits is stored encrypted, and deleted after 15 minutes', async () => {
    const owner = await signIn(service, customer)
    late()
    await owner.post('/dashboard/keys', { name: 'a secret plan', nonce: 'n' })
    const [stored] = await draftsOf(owner)
    expect(stored?.draft?.includes('secret plan')).toBe(false)
    const { confirmed, page } = await confirm(owner, '/dashboard/keys')
    expect(page).toContain('a secret plan')
    expect((await confirmed.get('/dashboard/keys')).text).toContain('a secret plan')
    late()
    await deleteExpiredDrafts(database(), service.service.now())
    expect(await draftsOf(owner)).toEqual([])
  })

  test('another person who signs in with the same browser does not see what was typed', async () => {
    const owner = await signIn(service, customer)
    const other = await signIn(service, customer)
    late()
    await owner.post('/dashboard/keys', { name: 'a secret plan', nonce: 'n' })
    const link = await linkFor(other)
    const pasted = await owner.post('/sign-in/pasted', { link, next: '/dashboard/keys' })
    expect([pasted.status, pasted.text.includes('for another person')]).toEqual([404, true])
    const opened = await owner.post(`/sign-in/${link}`)
    const cookie = opened.headers.getSetCookie()[0]?.split(';')[0] ?? ''
    expect((await withCookie(other, cookie).get('/dashboard/keys')).text).not.toContain('a secret plan')
  })

  test('a pasted text that is no valid link is refused beside its field', async () => {
    const owner = await signIn(service, customer)
    for (const link of ['nonsense', 'x'.repeat(43), 'https://a.example/', '']) {
      const { status, text } = await owner.post('/sign-in/pasted', { link, next: '/dashboard/keys' })
      expect([link, status, text.includes('aria-invalid')]).toEqual([link, 404, true])
    }
  })
})
