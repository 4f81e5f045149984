import { afterAll, beforeAll, expect, test } from 'vitest'
import { day } from '../../../registers/fixture.ts'
import { type CompanyService, refused, startCompanyService } from './fixture.ts'

let service: CompanyService
let company_ref: string
beforeAll(async () => {
  service = await startCompanyService()
  await service.load(day(1), { kind: 'company', key: 'stoat', company_name: 'Stoat' })
  company_ref = await service.refOf('import:stoat')
})
afterAll(() => service.close())

test.each([
  { jurisdiction: 'atlantis' },
  { name: '' },
  { license_number: ' ' },
  { domain: 'no domain at all' },
  { legal_entity: 'x'.repeat(600) },
  { license_number: '\0', jurisdiction: '', domain: '127.0.0.1', legal_entity: ' ', name: 'y'.repeat(501) },
])('identifiers beside a company_ref are returned as ignored: %j', async others => {
  const data = await service.answer({ company_ref, ...others })
  expect([data.resolved_by, data.resolved_company_ref]).toEqual(['company_ref', company_ref])
  const ignored = Object.entries(others).map(([name, text]) => [name, text.replaceAll('\0', '\uFFFD')])
  expect(data.ignored_inputs).toEqual(Object.fromEntries(ignored))
})

test('an ignored identifier that is sent twice is returned with both of its values', async () => {
  expect((await service.answer({ company_ref, name: ['Stoat', 'Otter'] })).ignored_inputs).toEqual({
    name: 'Stoat,Otter',
  })
})

test.each([
  [{ jurisdicton: 'mga' }, 'unknown_parameter'],
  [{ max_credits: 'ten' }, 'invalid_parameter'],
  [{ 'include[]': 'nothing' }, 'unknown_include'],
])('other parameters are validated even with a company_ref: %j', async (others, code) => {
  expect(refused(await service.resolve({ company_ref, ...others }))).toEqual([400, code])
})

test('an empty company_ref is rejected, even with other identifiers', async () => {
  expect(refused(await service.resolve({ company_ref: '', name: 'Stoat' }))).toEqual([
    400,
    'invalid_parameter',
  ])
})
