import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { loadLines } from '../../../test/harness/load-lines.ts'
import { type Customer, startService, type TestService } from '../../../test/harness/service.ts'
import { type Person, signIn } from '../../../test/harness/sign-in.ts'

let service: TestService
let customer: Customer
let member: Person
beforeAll(async () => {
  service = await startService({ world: 'demo_with_registers' })
  customer = await service.customer()
  member = await signIn(service, { accountRef: customer.accountRef, role: 'member' })
})
afterAll(() => service.close())

const address = '/dashboard/companies?jurisdiction=ukgc&role=operator'
const save = (fields: Record<string, string>, by = member) => by.post('/dashboard/saved', fields)
const savedOf = async (by = member) => (await by.read('/dashboard')).body.data.saved

test('a saved search is seen by all members on its page and the overview, and not by others', async () => {
  const { status, headers } = await save({ name: 'British operators', address })
  expect([status, headers.get('location')]).toEqual([303, address])
  const colleague = await signIn(service, { accountRef: customer.accountRef })
  for (const path of ['/dashboard', '/dashboard/companies'])
    expect((await colleague.get(path)).text).toContain('British operators</a>')
  expect((await colleague.get('/dashboard/licenses')).text).not.toContain('British operators')
  const billing = await signIn(service, { accountRef: customer.accountRef, role: 'billing' })
  expect(await savedOf(billing)).toEqual([])
  const stranger = await signIn(service, { accountRef: (await service.customer()).accountRef })
  expect(await savedOf(stranger)).toEqual([])
  const [{ id }] = await savedOf()
  expect((await stranger.post(`/dashboard/saved/${id}/delete`)).status).toBe(404)
  expect(await savedOf()).toHaveLength(1)
})

test('a search that is saved again has one entry with the new name, and can be deleted once', async () => {
  await save({ name: 'Operators', address })
  const [{ id, name }, ...others] = await savedOf()
  expect([name, others]).toEqual(['Operators', []])
  expect((await member.post(`/dashboard/saved/${id}/delete`)).status).toBe(303)
  expect((await member.post(`/dashboard/saved/${id}/delete`)).status).toBe(404)
  expect(await savedOf()).toEqual([])
})

test('only searches and Companies can be saved, with a name', async () => {
  for (const wrong of [
    { name: 'Elsewhere', address: 'https://evil.example/dashboard/companies' },
    { name: 'Keys', address: '/dashboard/keys' },
    { name: ' ', address },
    { address },
  ])
    expect((await save(wrong as Record<string, string>)).status).toBe(400)
  expect(await savedOf()).toEqual([])
})

test('a followed Company shows which of its licenses expire soon on the overview', async () => {
  const { live } = service.service
  const expires = new Date(Date.now() + 30 * 86_400_000).toISOString().slice(0, 10)
  await loadLines(live, [
    { kind: 'company', key: 'soon', company_name: 'Soon Ending', subject_kind: 'legal_entity' },
    { kind: 'license', jurisdiction: 'mga', license_number: 'S-1', company: 'soon', expires_at: expires },
    {
      kind: 'license',
      jurisdiction: 'mga',
      license_number: 'S-2',
      company: 'soon',
      expires_at: '2099-01-01',
    },
  ])
  const { rows } = await sql<{ company_ref: string }>`
    select company_ref from companies where company_name = 'Soon Ending'`.execute(live.database)
  const [company] = rows
  const path = `/dashboard/companies/${company?.company_ref}`
  const needs = async () => (await member.read('/dashboard')).body.data.needs
  expect(await needs()).toEqual([])
  expect((await save({ name: 'Soon Ending', address: path })).status).toBe(303)
  expect(await needs()).toEqual([{ kind: 'license_expiring', count: 1, ref: company?.company_ref }])
  expect((await member.get('/dashboard')).text).toContain(`<a href="${path}">Open</a>`)
  expect((await member.get(path)).text).toContain('Follow no longer')
})
