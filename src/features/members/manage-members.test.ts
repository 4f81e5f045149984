import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Customer, startService, type TestService } from '../../../test/harness/service.ts'
import { type Person, signIn } from '../../../test/harness/sign-in.ts'

const minuteMs = 60_000

let service: TestService
let customer: Customer
let owner: Person
let lateMs = 0

beforeAll(async () => {
  service = await startService({ now: () => new Date(Date.now() + lateMs) })
  customer = await service.customer()
  owner = await signIn(service, { accountRef: customer.accountRef, email: 'owner@baize.test' })
})
afterAll(() => service.close())

const path = '/dashboard/members'
type Listed = { user_ref: string; email: string; role: string }
const membersOf = async (person: Person): Promise<Listed[]> => (await person.read(path)).body.data.members
const refOf = async (email: string) =>
  (await membersOf(owner)).find(each => each.email === email)?.user_ref as string

test('an owner adds a member by address, and the member sees the account at the next sign-in', async () => {
  const { status, headers } = await owner.post(path, { email: ' Ada@Baize.test ', role: 'member' })
  expect([status, headers.get('location')]).toEqual([303, path])
  expect(await membersOf(owner)).toMatchObject([
    { email: 'owner@baize.test', role: 'owner' },
    { email: 'ada@baize.test', role: 'member' },
  ])
  const ada = await signIn(service, { email: 'ada@baize.test' })
  expect((await ada.get('/dashboard')).status).toBe(200)
  expect((await ada.get(path)).status).toBe(404)
  expect((await ada.post(path, { email: 'eve@baize.test', role: 'owner' })).status).toBe(404)
})

test('without a mail server the members page shows the command of a sign-in link', async () => {
  const { text } = await owner.get(path)
  expect(text).toContain('This service sends no mail.')
  expect(text).not.toContain('sent to this address')
  expect(text).toContain('npm run baize -- user link MAIL --next /dashboard')
})

test('an invalid address and an address of a member are refused with the reason', async () => {
  for (const [email, reason] of [
    ['nobody', 'Enter a whole e-mail address'],
    ['ada@baize.test', 'is a member already'],
  ] as const) {
    const { status, text } = await owner.post(path, { email, role: 'billing' })
    expect([status, text.includes(reason)]).toEqual([400, true])
    expect(text).toContain(`value="${email}"`)
  }
  expect((await owner.post(path, { email: 'x@baize.test', role: 'staff' })).status).toBe(400)
})

test("a changed role and a removal apply to the member's next page", async () => {
  const ada = await signIn(service, { email: 'ada@baize.test' })
  const ref = await refOf('ada@baize.test')
  expect((await owner.post(`${path}/${ref}/role`, { role: 'billing' })).status).toBe(303)
  expect((await ada.get('/dashboard/domains')).status).toBe(404)
  expect((await owner.post(`${path}/${ref}/remove`)).status).toBe(303)
  expect((await ada.read('/dashboard')).status).toBe(404)
})

test('the last owner can neither leave nor lose the role, even in simultaneous requests', async () => {
  const alone = await refOf('owner@baize.test')
  for (const change of [
    () => owner.post(`${path}/${alone}/remove`),
    () => owner.post(`${path}/${alone}/role`, { role: 'member' }),
  ]) {
    const { status, text } = await change()
    expect([status, text.includes('is the last owner')]).toEqual([400, true])
  }
  await owner.post(path, { email: 'second@baize.test', role: 'owner' })
  const second = await signIn(service, { email: 'second@baize.test' })
  const secondRef = await refOf('second@baize.test')
  const left = await Promise.all([
    owner.post(`${path}/${secondRef}/remove`),
    second.post(`${path}/${alone}/remove`),
  ])
  expect(left.filter(({ status }) => status === 303)).toHaveLength(1)
  if ((await owner.get(path)).status === 404)
    owner = await signIn(service, { accountRef: customer.accountRef, email: 'owner@baize.test' })
})

test('a member of another account is not found', async () => {
  const other = await service.customer()
  const theirs = await signIn(service, { accountRef: other.accountRef, email: 'theirs@baize.test' })
  const [{ user_ref: ref }] = (await membersOf(theirs)) as [Listed]
  for (const end of ['role', 'remove']) {
    const fields = end === 'role' ? { role: 'member' } : {}
    const strangers = await owner.post(`${path}/${ref}/${end}`, fields, { accept: 'application/json' })
    const nobody = await owner.post(`${path}/usr_x/${end}`, fields, { accept: 'application/json' })
    expect([strangers.status, strangers.body.errors]).toEqual([404, nobody.body.errors])
  }
})

test('a change of members needs a sign-in of the last 15 minutes, and must then be sent again', async () => {
  lateMs = 16 * minuteMs
  try {
    const { status, headers } = await owner.post(path, { email: 'late@baize.test', role: 'member' })
    expect([status, headers.get('location')]).toEqual([303, `/sign-in?next=${encodeURIComponent(path)}`])
    expect((await membersOf(owner)).some(each => each.email === 'late@baize.test')).toBe(false)
  } finally {
    lateMs = 0
  }
})

test("markup in a member's address and name is shown as text", async () => {
  await owner.post(path, { email: "o'brien&co@baize.test", role: 'member' })
  const page = await owner.get(path)
  expect(page.text).toContain('o&#39;brien&amp;co@baize.test')
})
