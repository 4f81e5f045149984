import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Customer, startService, type TestService } from '../../../test/harness/service.ts'
import { type Person, signIn } from '../../../test/harness/sign-in.ts'
import { purgeOld } from '../../metering/housekeeping.ts'
import { suppressPerson } from '../people/index.ts'

let service: TestService
let customer: Customer
let owner: Person

beforeAll(async () => {
  service = await startService({ world: 'demo' })
  customer = await service.customer({ credits: 100, plan: 'growth' })
  owner = await signIn(service, { accountRef: customer.accountRef })
})
afterAll(() => service.close())

const world = () => service.service.live
const nonceOf = (page: string) => page.match(/name="nonce" value="([^"]+)"/)?.[1] as string
const rowsOf = async () => {
  const { rows } = await sql<{
    subject: string
  }>`select subject from bought_answers order by subject`.execute(world().database)
  return rows.map(row => row.subject)
}

test('a suppressed person is no longer shown among the people that an account bought', async () => {
  const { body } = await customer.ask('/v1/companies/resolve?name=Lucky%20Otter')
  const path = `/dashboard/companies/${body.data.companies[0].company_ref}`
  const nonce = nonceOf((await owner.get(path)).text)
  const { status } = await owner.post(`${path}/people`, { role: 'ceo', max_credits: '9', nonce })
  expect(status).toBe(303)
  const [contact] = (await owner.read(path)).body.data.people.contacts
  expect((await owner.get(path)).text).toContain(contact.name)
  await suppressPerson(world(), { email: contact.email, reason: 'they asked', now: new Date() })
  expect((await owner.get(path)).text).not.toContain(contact.name)
})

test('an answer is shown for 7 days, and its subject is purged with it', async () => {
  const path = '/dashboard/domains/luckyotter.example'
  const nonce = nonceOf((await owner.get(path)).text)
  expect((await owner.post(path, { max_credits: '1', nonce })).status).toBe(303)
  expect((await owner.get(path)).text).toContain('Bought')
  expect(await rowsOf()).toContain('luckyotter.example')
  const days = async (count: number) => {
    const at = new Date(Date.now() - count * 86_400_000)
    await sql`update bought_answers set bought_at = ${at}`.execute(world().database)
    await sql`update idempotency_records set created_at = ${at}`.execute(world().database)
  }
  await days(6)
  await purgeOld(world().database, new Date())
  expect((await owner.get(path)).text).toContain('Bought')
  await days(8)
  expect((await owner.get(path)).text).not.toContain('Bought')
  await purgeOld(world().database, new Date())
  expect(await rowsOf()).toEqual([])
})

test('a refused purchase leaves no bought answer', async () => {
  const poor = await service.customer({ credits: 0 })
  const person = await signIn(service, { accountRef: poor.accountRef })
  const path = '/dashboard/domains/pikebet.example'
  const nonce = nonceOf((await person.get(path)).text)
  expect((await person.post(path, { max_credits: '1', nonce })).status).toBe(429)
  expect(await rowsOf()).toEqual([])
})
