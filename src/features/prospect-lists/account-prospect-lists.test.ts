import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Customer, startService, type TestService } from '../../../test/harness/service.ts'
import { type Person, signIn } from '../../../test/harness/sign-in.ts'
import { fullResult } from './fixture.ts'
import { deliverProspectList, prepareProspectList, showProspectListToStaff } from './index.ts'

let service: TestService
let customer: Customer
let member: Person

beforeAll(async () => {
  service = await startService()
  customer = await service.customer()
  member = await signIn(service, { accountRef: customer.accountRef, role: 'member' })
})
afterAll(() => service.close())

const path = '/dashboard/prospect-lists'
const listed = async () => (await member.read(path)).body.data.prospect_lists
const request = { request: 'Payment <b>firms</b> in Malta', cadence: 'one_time' }

test('a list that a member requests belongs to the account at once, and names the member', async () => {
  expect((await member.get(path)).text).toContain('No prospect list yet.')
  const { status, headers } = await member.post(path, request)
  expect([status, headers.get('location')]).toEqual([303, path])
  const [list] = await listed()
  expect(list).toMatchObject({ status: 'requested', cadence: 'one_time' })
  const forStaff = await showProspectListToStaff(service.service.live, list.prospect_list_ref)
  expect(forStaff).toMatchObject({
    account_ref: customer.accountRef,
    requested_by: { email: member.email, request: request.request },
  })
  const page = await member.get(`${path}/${list.prospect_list_ref}`)
  expect(page.text).toContain('The list is not ready yet.')
  expect((await member.get(`${path}/${list.prospect_list_ref}/download`)).status).toBe(409)
})

test('the dashboard shows a ready list with its result and download', async () => {
  const [list] = await listed()
  const { live, now } = service.service
  await prepareProspectList(live, list.prospect_list_ref)
  await deliverProspectList(live, list.prospect_list_ref, { result: fullResult, now: now() })
  const page = await member.get(`${path}/${list.prospect_list_ref}`)
  expect(page.text).toContain('Download the CSV')
  expect(page.text).toContain('Grey Heron')
  const file = await member.get(`${path}/${list.prospect_list_ref}/download?spreadsheet=true`)
  expect([file.status, file.headers.get('content-type')]).toEqual([200, 'text/csv; charset=utf-8'])
})

test("another account's list answers like a missing one", async () => {
  const [list] = await listed()
  const other = await service.customer()
  const stranger = await signIn(service, { accountRef: other.accountRef })
  const theirs = await stranger.read(`${path}/${list.prospect_list_ref}`)
  const missing = await stranger.read(`${path}/pl_00000000000000000000`)
  expect([theirs.status, theirs.body.message]).toEqual([404, missing.body.message])
})

test('an empty request for a list and a 21st open request are refused with the reason', async () => {
  const empty = await member.post(path, { ...request, request: '' })
  expect([empty.status, empty.text.includes('role="alert"')]).toEqual([400, true])
  const eager = await service.customer()
  const owner = await signIn(service, { accountRef: eager.accountRef })
  const sent = await Promise.all(Array.from({ length: 22 }, () => owner.post(path, request)))
  expect(sent.filter(({ status }) => status === 303)).toHaveLength(20)
  expect(sent.find(({ status }) => status === 400)?.text).toContain('that is the limit')
})

test('the role billing sees no prospect lists', async () => {
  const billing = await signIn(service, { accountRef: customer.accountRef, role: 'billing' })
  expect((await billing.get(path)).status).toBe(404)
  expect((await billing.post(path, request)).status).toBe(404)
})
