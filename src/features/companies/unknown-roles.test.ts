import { afterAll, beforeAll, expect, test } from 'vitest'
import { day, licensee } from '../../registers/fixture.ts'
import { type CompanyService, startCompanyService } from './resolve/fixture.ts'

const withoutRole = ['Marten Registered', 'Marten Unknown', 'Marten Without']

let service: CompanyService
beforeAll(async () => {
  service = await startCompanyService()
  await service.sync('malta', day(1), licensee('M1', { legalName: 'Marten Registered' }))
  await service.load(
    day(2),
    { kind: 'company', key: 'without', company_name: 'Marten Without' },
    { kind: 'company', key: 'unknown', company_name: 'Marten Unknown', role: ['unknown'] },
    { kind: 'company', key: 'both', company_name: 'Marten Both', role: ['unknown', 'game_studio'] },
  )
})
afterAll(() => service.close())

async function ofUnknownRole() {
  const customer = await service.customer({ credits: 1_000 })
  const { body: preview } = await customer.ask('/v1/companies/search/preview?q=marten')
  const { body } = await customer.ask('/v1/companies/search?q=marten&role=unknown')
  const { values } = preview.data.facet_counts.find(({ field }: { field: string }) => field === 'role')
  const hits: { company_name: string; role: string[] }[] = body.data.hits
  return {
    counted: values.find(({ value }: { value: string }) => value === 'unknown').count,
    names: hits.map(hit => hit.company_name).toSorted(),
    roles: new Set(hits.flatMap(hit => hit.role)),
  }
}
const expected = { counted: withoutRole.length, names: withoutRole, roles: new Set(['unknown']) }

test('a Company without a role from any source is counted and found as unknown', async () => {
  expect(await ofUnknownRole()).toEqual(expected)
})

test('a known role of a Company replaces unknown', async () => {
  expect((await service.answer({ name: 'Marten Both' })).companies[0].role).toEqual(['game_studio'])
})
