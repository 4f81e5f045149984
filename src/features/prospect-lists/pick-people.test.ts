import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Customer, startService, type TestService } from '../../../test/harness/service.ts'
import { type Person, signIn } from '../../../test/harness/sign-in.ts'

let service: TestService
let customer: Customer
let staff: Person
let member: Person
beforeAll(async () => {
  service = await startService({ world: 'demo_with_registers' })
  customer = await service.customer()
  staff = await signIn(service, { isStaff: true })
  member = await signIn(service, { accountRef: customer.accountRef, role: 'member' })
})
afterAll(() => service.close())

const base = '/dashboard/staff/lists'
const texts = { journey: 'Sell payments', summary: 'British operators', executive_summary: 'One fits.' }

/** Requests a list of a search, as the button "Make a prospect list of these" does. */
async function requested(): Promise<string> {
  const request = `Companies.\nhttp://baize.test/dashboard/companies?jurisdiction=ukgc&role=operator&other=1`
  await member.post('/dashboard/prospect-lists', { request, cadence: 'weekly' })
  const { prospect_lists: lists } = (await member.read('/dashboard/prospect-lists')).body.data
  return lists[0].prospect_list_ref
}

type Target = { target_ref: string; name: string; key_contacts: { contact_ref: string; name: string }[] }
const companiesOf = async (ref: string, query = ''): Promise<Target[]> =>
  (await staff.read(`${base}/${ref}${query}`)).body.data.companies
const namesIn = (of: readonly Target[]) => of.map(({ name }) => name)

async function deliver(ref: string, fields: URLSearchParams) {
  const { text } = await staff.post(`${base}/${ref}/check`, fields)
  const result = /name="result" value="([^"]*)"/.exec(text)?.[1]?.replaceAll('&quot;', '"') ?? ''
  expect(
    (await staff.post(`${base}/${ref}/deliver`, { result: result.replaceAll('&#39;', "'") })).status,
  ).toBe(303)
}

test('staff pick people of the Companies that the customer searched, and deliver them again', async () => {
  const ref = await requested()
  const companies = await companiesOf(ref)
  const otter = companies.find(({ name }) => name === 'Ottermoor Gaming')
  const [person] = otter?.key_contacts ?? []
  if (otter === undefined || person === undefined) throw new Error('nobody can be picked')
  const picked = `${otter.target_ref} ${person.contact_ref}`
  await deliver(ref, new URLSearchParams({ ...texts, 'people[]': picked }))
  const { result } = (await customer.ask(`/v1/prospect-lists/${ref}`)).body.data
  expect(result).toMatchObject({
    request_interpretation: { journey: 'Sell payments', summary: 'British operators' },
    target_accounts: [{ name: 'Ottermoor Gaming', key_contacts: [{ name: person.name }] }],
  })
  expect(result.target_accounts[0].licences.length).toBeGreaterThan(0)

  const again = (await staff.get(`${base}/${ref}`)).text
  expect(again).toContain('Deliver the list again')
  expect(again).toContain(`value="${picked}" checked`)
  expect(again).toContain('value="Sell payments"')
  await deliver(ref, new URLSearchParams({ ...texts, 'people[]': picked }))
  const shown = (await member.read(`/dashboard/prospect-lists/${ref}`)).body.data
  expect(shown.deliveries).toHaveLength(2)
  expect((await member.get(`/dashboard/prospect-lists/${ref}`)).text).toContain('Download the CSV')
})

test('staff search more Companies, and a person of another Company is not picked with it', async () => {
  const ref = await requested()
  const names = namesIn(await companiesOf(ref))
  const [other] = (await companiesOf(ref, '?q=redkite')).filter(({ name }) => !names.includes(name))
  expect(other).toBeDefined()
  const wrong = new URLSearchParams({ ...texts, 'people[]': `${other?.target_ref} con_none` })
  const { status, text } = await staff.post(`${base}/${ref}/check`, wrong)
  expect([status, text.includes('must have at least 1 item')]).toEqual([400, true])
})

test('customers see no people to pick from, and a missing list has none', async () => {
  const ref = await requested()
  expect((await member.get(`${base}/${ref}`)).status).toBe(404)
  expect((await staff.read(`${base}/pl_none`)).status).toBe(404)
})
