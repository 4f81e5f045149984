import { afterAll, beforeAll, expect, test } from 'vitest'
import { day } from '../../../registers/fixture.ts'
import { type CompanyService, type Profile, startCompanyService } from './fixture.ts'

let service: CompanyService
beforeAll(async () => {
  service = await startCompanyService()
})
afterAll(() => service.close())

const keys = Array.from({ length: 12 }, (_, index) => `ranked${index}`)

/** The refs of those of the Companies that are meant, in their order. */
async function refs(which: (index: number) => boolean): Promise<string[]> {
  const meant = keys.filter((_, index) => which(index))
  return (await Promise.all(meant.map(key => service.refOf(`import:${key}`)))).sort()
}

test('the Companies of a domain: that of its verdict, its other licensees, then who else owns its brand, each by ref', async () => {
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

test('those of one name, and of one filed name, by ref', async () => {
  const names = { company_name: 'Namesake', legal_entity: 'Namesake Ltd' }
  await service.load(day(2), ...keys.map(key => ({ kind: 'company', key, ...names })))
  const all = await refs(() => true)
  for (const asked of [{ name: 'namesake' }, { legal_entity: 'Namesake Ltd' }]) {
    const { matches } = await service.answer(asked)
    expect(matches.map((company: Profile) => company.company_ref)).toEqual(all)
  }
})
