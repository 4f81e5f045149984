import { afterAll, beforeAll, expect, test } from 'vitest'
import { declaredData } from '../../../test/harness/declared-schema.ts'
import type { Customer } from '../../../test/harness/service.ts'
import { demoKey } from '../../core/api-key.ts'
import { mergeCompanies, splitCompany } from '../companies/index.ts'
import { creditsUsed, type PeopleService, person, startPeopleService } from './fixture.ts'
import { suppressPerson } from './index.ts'

const schemaErrors = declaredData('list_roles')

let service: PeopleService
let customer: Customer
let now = new Date('2026-11-01T12:00:00Z')
beforeAll(async () => {
  service = await startPeopleService({ now: () => now, world: 'demo' })
  customer = await service.customer({ plan: 'free', credits: 0 })
})
afterAll(() => service.close())

type Row = {
  key: string
  synonyms: string[]
  coverage: { title: number; headline_only: number; measured_at: string }
}

async function roles(): Promise<Row[]> {
  const { status, body } = await customer.ask('/v1/people/roles')
  expect(status, JSON.stringify(body)).toBe(200)
  expect(schemaErrors(body.data)).toBeNull()
  return body.data.roles
}

const coverageOf = async (key: string) => (await roles()).find(row => row.key === key)?.coverage

test('the glossary of roles has the eight specified keys, with descriptions and synonyms', async () => {
  const rows = await roles()
  expect(rows.map(row => row.key)).toEqual([
    'ceo',
    'cto',
    'compliance',
    'payments',
    'affiliates',
    'marketing_leads',
    'product_leads',
    'decision_makers',
  ])
  expect(rows[0]).toMatchObject({
    description: expect.stringMatching(/\.$/),
    seniority: 'c_level',
    function: 'general_management',
    coverage: { title: 4, headline_only: 0, measured_at: '2026-11-01' },
  })
  for (const row of rows) expect(row.synonyms.length, row.key).toBeGreaterThan(0)
})

test('synonyms of roles are distinct and contain no pattern syntax', async () => {
  const rows = await roles()
  expect(rows[0]?.synonyms).toEqual(
    expect.arrayContaining(['CEO', 'Geschäftsführer', 'Генеральный директор']),
  )
  for (const { key, synonyms } of rows) {
    expect(
      synonyms.filter(synonym => /[()|…*]/.test(synonym)),
      key,
    ).toEqual([])
    expect(new Set(synonyms).size, key).toBe(synonyms.length)
  }
})

test('the glossary of roles is free on every plan, and cacheable for a day', async () => {
  const { headers, body } = await customer.ask('/v1/people/roles')
  expect(headers.get('cache-control')).toBe('private, max-age=86400')
  expect(body.data).not.toHaveProperty('credits_charged')
  expect(await creditsUsed(customer)).toBe(0)
})

test('HEAD of the glossary returns the headers of GET without a body', async () => {
  const get = await customer.ask('/v1/people/roles')
  const { status, headers, text } = await customer.ask('/v1/people/roles', { method: 'HEAD' })
  expect([status, text]).toEqual([200, ''])
  for (const name of ['content-type', 'content-length', 'cache-control'])
    expect(headers.get(name)).toBe(get.headers.get(name))
})

test('coverage of roles counts reachable people by title, or by headline if they have no title', async () => {
  expect(await coverageOf('marketing_leads')).toEqual({
    title: 3,
    headline_only: 1,
    measured_at: '2026-11-01',
  })
  await service.load(
    { kind: 'company', key: 'mole', company_name: 'Mole' },
    person('mole', 'Ada', { title: 'CEO', headline: 'CTO', email: 'ada@mole.example' }),
    person('mole', 'Bea', { title: 'CEO', email: 'bea@mole.example' }),
    person('mole', 'Cy', { headline: 'CTO', email: 'cy@mole.example' }),
    person('mole', 'Dee', { title: 'CEO' }),
  )
  expect(await coverageOf('ceo')).toMatchObject({ title: 6, headline_only: 0 })
  expect(await coverageOf('cto')).toMatchObject({ title: 1, headline_only: 1 })
})

test('coverage of roles is dated, and updated with every change of contacts', async () => {
  await service.load(person('mole', 'Bea', { title: 'Gardener', email: 'bea@mole.example' }))
  expect(await coverageOf('ceo')).toMatchObject({ title: 5 })
  await suppressPerson(service.service.live, { email: 'ada@mole.example', reason: 'asked', now })
  expect(await coverageOf('ceo')).toMatchObject({ title: 4, measured_at: '2026-11-01' })
  now = new Date('2026-11-02T00:00:00Z')
  expect(await coverageOf('ceo')).toMatchObject({ title: 4, measured_at: '2026-11-02' })
})

test('coverage of roles counts a person of two merged Companies once, and after a split twice', async () => {
  const profile = { linkedin_url: 'https://profiles.example/in/vera' }
  await service.load(
    { kind: 'company', key: 'vole', company_name: 'Vole' },
    { kind: 'company', key: 'voles', company_name: 'Voles' },
    person('vole', 'Vera', { title: 'CPO', ...profile, last_verified_at: '2026-01-01T00:00:00Z' }),
    person('voles', 'Vera', { headline: 'CPO', ...profile, last_verified_at: '2026-02-01T00:00:00Z' }),
    person('voles', 'Wim', { title: 'CPO', email: 'wim@vole.example' }),
  )
  const before = await coverageOf('product_leads')
  const [from, into] = [await service.refOf('vole'), await service.refOf('voles')]
  const reason = 'one vole'
  await mergeCompanies(service.service.live, { from, into, reason, now })
  const merged = await coverageOf('product_leads')
  expect([before?.title, before?.headline_only]).toEqual([(merged?.title ?? 0) + 1, merged?.headline_only])
  await splitCompany(service.service.live, { company: into, identities: [['import', 'vole']], reason, now })
  expect(await coverageOf('product_leads')).toEqual(before)
})

test('coverage of roles is complete over several pages of titles', async () => {
  const many = Array.from({ length: 1_203 }, (_, index) =>
    person('mole', `Number ${index}`, {
      [index % 3 === 0 ? 'headline' : 'title']: `CTO of burrow ${index}`,
      email: `n${index}@mole.example`,
    }),
  )
  await service.load(...many)
  expect(await coverageOf('cto')).toMatchObject({ title: 803, headline_only: 402 })
})

test('the glossary of roles refuses a parameter with 400, and a missing key with 401', async () => {
  const { status, body } = await customer.ask('/v1/people/roles?role=ceo')
  expect([status, body.errors.code]).toEqual([400, 'unknown_parameter'])
  expect((await service.ask('/v1/people/roles')).status).toBe(401)
})

test('the demo key can read the glossary of roles', async () => {
  const { status, body } = await service.ask('/v1/people/roles', { key: demoKey })
  expect([status, body.data.demo, body.data.roles.length]).toEqual([200, true, 8])
})
