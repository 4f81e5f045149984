import { afterAll, beforeAll, expect, test } from 'vitest'
import { day } from '../../../registers/fixture.ts'
import { type CompanyService, type Profile, startCompanyService } from './fixture.ts'

let service: CompanyService
beforeAll(async () => {
  service = await startCompanyService()
})
afterAll(() => service.close())

const keys = Array.from({ length: 12 }, (_, index) => `ranked${index}`)

async function refs(which: (index: number) => boolean): Promise<string[]> {
  const selected = keys.filter((_, index) => which(index))
  return (await Promise.all(selected.map(key => service.refOf(`import:${key}`)))).sort()
}

test("a domain's Companies are ordered: licensee of the verdict, other licensees, brand owners", async () => {
  await service.load(
    day(1),
    ...keys.map(key => ({ kind: 'company', key, company_name: key })),
    ...keys.map((company, index) => ({
      kind: 'domain',
      domain: 'ranked.example',
      company,
      relation: index % 3 === 0 ? 'licensee' : 'brand_owner',
    })),
    {
      kind: 'license',
      jurisdiction: 'mga',
      license_number: 'R-1',
      company: 'ranked7',
      authorized_domains: ['ranked.example'],
    },
  )
  const { companies } = await service.answer({ domain: 'ranked.example' })
  expect(companies.map((company: Profile) => company.company_ref)).toEqual([
    ...(await refs(index => index === 7)),
    ...(await refs(index => index % 3 === 0)),
    ...(await refs(index => index % 3 !== 0 && index !== 7)),
  ])
})

test('candidates with the same name or legal name are ordered by ref', async () => {
  const names = { company_name: 'Namesake', legal_entity: 'Namesake Ltd' }
  await service.load(day(2), ...keys.map(key => ({ kind: 'company', key, ...names })))
  const all = await refs(() => true)
  for (const query of [{ name: 'namesake' }, { legal_entity: 'Namesake Ltd' }]) {
    const { matches } = await service.answer(query)
    expect(matches.map((company: Profile) => company.company_ref)).toEqual(all)
  }
})
