import { afterAll, beforeAll, expect, test } from 'vitest'
import { authorisation, day, license, licensee } from '../../../registers/fixture.ts'
import { verifyVerdicts } from '../../domains/index.ts'
import { type CompanyService, startCompanyService } from './fixture.ts'

const agents = (count: number, site: string) =>
  Array.from({ length: count }, (_, index) => `${site}-${index + 1}`).flatMap(key => [
    licensee(key, { legalName: `Agency ${key} GmbH`, country: 'DE' }),
    license(`L-${key}`, key),
    authorisation(site, { recordKey: key, licenseKey: `L-${key}`, licenseeKey: key }),
  ])

let service: CompanyService
beforeAll(async () => {
  service = await startCompanyService()
  await service.sync('malta', day(1), ...agents(3, 'three.example'), ...agents(22, 'many.example'))
})
afterAll(() => service.close())

const verdictOf = async (domain: string) => {
  const customer = await service.customer({ credits: 100 })
  const { body } = await customer.ask(`/v1/domains/resolve?domain=${domain}&include[]=licenses`)
  return body.data
}

test('a site with more than three holders in one register is licensed and has no company', async () => {
  expect(await verdictOf('many.example')).toMatchObject({
    verdict: 'licensed',
    company: null,
    observations: { company: null },
  })
  expect((await verifyVerdicts(service.service.live.database)).differences).toEqual([])
})

test('such a site resolves to its first holders as candidates, free of charge', async () => {
  const answer = await service.answer({ domain: 'many.example' })
  expect(answer).toMatchObject({
    resolved_by: 'domain',
    companies: [],
    matches_total: 22,
    billing: { credits_charged: 0 },
  })
  expect(answer.matches).toHaveLength(20)
})

test('a site with three holders has a company, and resolves to all three', async () => {
  expect(await verdictOf('three.example')).toMatchObject({ company: { company_ref: expect.any(String) } })
  const answer = await service.answer({ domain: 'three.example' })
  expect([answer.companies.length, answer.matches_total]).toEqual([3, 0])
})

test('another register that names one holder does not decide who operates a site of many', async () => {
  const one = [licensee('S9', { legalName: 'Nordic Otter AB', country: 'SE' }), license('L9', 'S9')]
  await service.sync(
    'sweden',
    day(2),
    ...one,
    authorisation('many.example', { licenseKey: 'L9', licenseeKey: 'S9' }),
  )
  expect((await verdictOf('many.example')).company).toBeNull()
})
