import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Customer } from '../../../../test/harness/service.ts'
import { day, licensee } from '../../../registers/fixture.ts'
import { mergeCompanies } from '../index.ts'
import {
  type CompanyService,
  creditsUsed,
  namesOf,
  type Parameters,
  refused,
  startCompanyService,
} from './fixture.ts'

let service: CompanyService
let customer: Customer
beforeAll(async () => {
  service = await startCompanyService()
  customer = await service.customer({ credits: 100 })
})
afterAll(() => service.close())

const found = async (parameters: Parameters) => namesOf(await service.answer(parameters))

test.each(['trade_name', 'platform', 'domain', 'unknown'])(
  'the legal name of a Company whose kind is %s is not found, free of charge',
  async kind => {
    const company_name = `Stoat ${kind}`
    const legal_entity = `${company_name} Limited`
    await service.load(day(1), {
      kind: 'company',
      key: company_name,
      company_name,
      legal_entity,
      subject_kind: kind,
    })
    expect(refused(await service.resolve({ legal_entity }, customer))).toEqual([404, 'not_found'])
    expect(await creditsUsed(customer)).toBe(0)
    expect(await found({ name: legal_entity })).toEqual([company_name])
  },
)

test('an imported Company with a legal name and no kind is a legal entity', async () => {
  await service.load(day(1), { kind: 'company', key: 'polecat', legal_entity: 'Polecat Bets Limited' })
  const [polecat] = (await service.answer({ legal_entity: 'polecat bets limited' })).companies
  expect(polecat.subject_kind).toBe('legal_entity')
})

test('a licensee is found by its legal name after a merge into a trade name', async () => {
  const weasel = { key: 'weasel', company_name: 'Weasel', subject_kind: 'trade_name' }
  await service.sync('malta', day(2), licensee('M9', { legalName: 'Weasel Ltd', country: 'MT' }))
  await service.load(day(2), { kind: 'company', ...weasel })
  const [into, from] = [await service.refOf('import:weasel'), await service.refOf('malta.licences:M9')]
  await mergeCompanies(service.service.live, { from, into, reason: 'one party', now: day(3) })
  expect(await found({ legal_entity: 'Weasel Ltd' })).toEqual(['Weasel'])
})
