import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { day, licensee } from '../../../registers/fixture.ts'
import { type CompanyService, namesOf, type Parameters, refused, startCompanyService } from './fixture.ts'

let service: CompanyService
beforeAll(async () => {
  service = await startCompanyService()
  const names = ['Heron On Net Ltd', 'SIA Laimz', 'ООО «Рога и копыта»', 'Pike & Pebble plc', 'Stoat Bets']
  await service.load(
    day(1),
    ...names.map(name => ({ kind: 'company', key: name, company_name: name, legal_entity: name })),
    { kind: 'company', key: 'one', company_name: 'Twin Otters Ltd' },
    { kind: 'company', key: 'two', company_name: 'Twin-Otters Limited', brands: ['Otter-Plus'] },
  )
  await service.sync('malta', day(2), licensee('M9', { legalName: 'Weasel Gaming P.L.C.', country: 'MT' }))
})
afterAll(() => service.close())

const answer = async (parameters: Parameters) => {
  const data = await service.answer(parameters)
  return [data.match_basis, ...namesOf(data)]
}
const code = async (parameters: Parameters) => refused(await service.resolve(parameters))

describe.each(['name', 'legal_entity'])('Company resolve by %s', input => {
  test.each([
    ['heron on net ltd', 'exact', 'Heron On Net Ltd'],
    ['HeronOnNet Limited', 'folded_name', 'Heron On Net Ltd'],
    ['Heron-On-Net, Ltd.', 'folded_name', 'Heron On Net Ltd'],
    ['Limited Heron On Net', 'folded_name', 'Heron On Net Ltd'],
    ['Laimz SIA', 'folded_name', 'SIA Laimz'],
    ['Laimz, Sabiedrība ar ierobežotu atbildību', 'folded_name', 'SIA Laimz'],
    ['OOO Roga i kopyta', 'folded_name', 'ООО «Рога и копыта»'],
    ['Pike and Pebble Public Limited Company', 'folded_name', 'Pike & Pebble plc'],
    ['Weasel Gaming plc', 'folded_name', 'Weasel Gaming P.L.C.'],
  ])('%s matches by %s', async (typed, basis, found) => {
    expect(await answer({ [input]: typed })).toEqual([basis, found])
  })

  test.each(['Heron On Net plc', 'Heron On Net', 'Heron Net Ltd', 'Stoat Bets Ltd'])(
    'a name with another legal form, without one or with other words is not found: %s',
    async typed => expect(await code({ [input]: typed })).toEqual([404, 'not_found']),
  )
})

test('a folded name of several Companies gives free candidates', async () => {
  const data = await service.answer({ name: 'Twin/Otters, Ltd' })
  expect(data).toMatchObject({
    match_basis: 'folded_name',
    companies: [],
    matches_total: 2,
    credits_charged: 0,
  })
})

test('an exact name is preferred to a folded one', async () => {
  expect(await answer({ name: 'twin-otters limited' })).toEqual(['exact', 'Twin-Otters Limited'])
  expect(await answer({ name: 'Otter Plus' })).toEqual(['folded_name', 'Twin-Otters Limited'])
})

test('a folded name of another Company than the domain is a conflict', async () => {
  await service.load(day(1), {
    kind: 'domain',
    domain: 'laimz.example',
    company: 'SIA Laimz',
    relation: 'brand_owner',
  })
  expect(await code({ domain: 'laimz.example', name: 'Heron-On-Net Ltd' })).toEqual([
    409,
    'conflicting_lookup_input',
  ])
  expect((await service.answer({ domain: 'laimz.example', name: 'Laimz SIA' })).match_basis).toBeUndefined()
})
