import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Customer } from '../../../../test/harness/service.ts'
import { type LicenseService, startLicenseService } from '../fixture.ts'
import { type Data, numbersOf, pathOf, searchLicenses } from './fixture.ts'

// Registers spell one type in several ways. A filter finds every spelling, and its facet counts all.

let service: LicenseService
let customer: Customer
beforeAll(async () => {
  service = await startLicenseService()
  customer = await service.customer({ credits: 100_000 })
  const types = ['Remote Casino', 'Remote Casino', 'REMOTE CASINO', 'Jeux à distance', 'Bingo']
  await service.load(
    ...types.map((license_type, index) => ({
      kind: 'license',
      jurisdiction: 'mga',
      license_number: String(index),
      license_type,
    })),
    { kind: 'company', key: 'one', company_name: 'One', geo_hints: ['GB', 'gb'] },
    { kind: 'company', key: 'two', company_name: 'Two', geo_hints: ['gb', 'Málta'] },
    { kind: 'company', key: 'three', company_name: 'Three', geo_hints: ['GB'] },
  )
})
afterAll(() => service.close())

const facetOf = ({ facet_counts }: Data, field: string) =>
  facet_counts.find((each: Data) => each.field === field).values

test.each(['remote casino', 'REMOTE CASINO', ' Rémote-Casino '])(
  'license_type=%s finds every spelling of the type',
  async type => {
    const found = await searchLicenses(customer, { license_type: type })
    expect([numbersOf(found.hits).sort(), found.total]).toEqual([['0', '1', '2'], 3])
    expect(facetOf(found, 'license_type')).toEqual([{ value: 'Remote Casino', count: 3 }])
    const spelt = found.hits.map((hit: Data) => hit.license_type).sort()
    expect(spelt).toEqual(['REMOTE CASINO', 'Remote Casino', 'Remote Casino'])
  },
)

test('a license type with an accent is found without the accent', async () => {
  expect(numbersOf((await searchLicenses(customer, { license_type: 'jeux a distance' })).hits)).toEqual(['3'])
})

test.each([
  ['gb', 3],
  ['GB', 3],
  ['malta', 1],
])('geo=%s finds Companies with every spelling of the place', async (geo, count) => {
  const { body } = await customer.ask(pathOf('/v1/companies/search', { geo }))
  expect([body.data.total, body.data.hits.length]).toEqual([count, count])
})

test('the count of a facet value equals the rows that the value finds, with other filters too', async () => {
  const { body } = await customer.ask('/v1/companies/search/preview')
  expect(facetOf(body.data, 'geo')).toEqual([
    { value: 'GB', count: 3 },
    { value: 'Málta', count: 1 },
  ])
  expect(facetOf(await searchLicenses(customer, {}), 'license_type')[0]).toEqual({
    value: 'Remote Casino',
    count: 3,
  })
})
