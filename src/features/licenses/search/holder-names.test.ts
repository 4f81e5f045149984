import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Customer } from '../../../../test/harness/service.ts'
import { license, licensee } from '../../../registers/fixture.ts'
import { mergeCompanies } from '../../companies/index.ts'
import { type LicenseService, startLicenseService } from '../fixture.ts'
import { numbersOf, pathOf, searchLicenses } from './fixture.ts'

// Search finds a license by all names of its holder: current, former, brands and aliases.

let service: LicenseService
let customer: Customer
beforeAll(async () => {
  service = await startLicenseService()
  customer = await service.customer({ credits: 100_000 })
  await service.sync('malta', 2, licensee('M1', { legalName: 'Alpha Ltd' }), license('L1', 'M1'))
  await service.sync('sweden', 2, licensee('S1', { legalName: 'Beta AB' }), license('L2', 'S1'))
  await service.load(
    { kind: 'company', key: 'gamma', company_name: 'Gamma', brands: ['Geese'], aliases: ['Anser Group'] },
    { kind: 'license', jurisdiction: 'mga', license_number: 'L3', company: 'gamma' },
  )
})
afterAll(() => service.close())

const find = async (q: string) => numbersOf((await searchLicenses(customer, { q })).hits).sort()

test('a license is found by a brand or alias of its holder, even if added later', async () => {
  expect(await find('geese')).toEqual(['L3'])
  expect(await find('ANSER GROUP')).toEqual(['L3'])
  expect(await find('Swans')).toEqual([])
  await service.load({ kind: 'company', key: 'gamma', company_name: 'Gamma', brands: ['Geese', 'Swans'] })
  expect(await find('Swans')).toEqual(['L3'])
})

test('a license is found by the names of both Companies after a merge', async () => {
  expect([await find('alpha limited'), await find('beta aktiebolag')]).toEqual([['L1-001'], ['L2-001']])
  const refs = await Promise.all(
    ['Alpha', 'Beta'].map(async name => {
      const { body } = await customer.ask(pathOf('/v1/companies/search', { q: name }))
      return body.data.hits[0].company_ref as string
    }),
  )
  const [into, from] = refs as [string, string]
  await mergeCompanies(service.service.live, { from, into, reason: 'one owner', now: new Date() })
  for (const name of ['Alpha Ltd', 'Beta AB']) expect(await find(name), name).toEqual(['L1-001', 'L2-001'])
})

test('a license is ranked higher for the current name of its holder than for an alias', async () => {
  await service.load(
    { kind: 'company', key: 'known', company_name: 'Somebody', aliases: ['Heron'] },
    { kind: 'company', key: 'called', company_name: 'Heron' },
    { kind: 'license', jurisdiction: 'mga', license_number: 'Heron 1', company: 'gamma' },
    { kind: 'license', jurisdiction: 'mga', license_number: 'L4', company: 'known' },
    { kind: 'license', jurisdiction: 'mga', license_number: 'L5', company: 'called' },
  )
  expect(numbersOf((await searchLicenses(customer, { q: 'Heron' })).hits)).toEqual(['L5', 'L4', 'Heron 1'])
})
