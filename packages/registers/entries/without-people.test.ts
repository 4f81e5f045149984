import { expect, test } from 'vitest'
import type { LicenseeRow, Reading } from '../stream.ts'
import { gather } from '../test/gather.ts'
import { withoutPeople } from './without-people.ts'

const holder = (recordKey: string, legalName: string, more: Partial<LicenseeRow> = {}): LicenseeRow => ({
  record: 'licensee',
  recordKey,
  legalName,
  tradingNames: [],
  country: 'DE',
  registrationNumber: null,
  ...more,
})
const german = { language: 'de-DE', regulator_country_code: 'DE' }

async function* of(...readings: Reading[]) {
  yield* readings
}
const read = (facts: Parameters<typeof withoutPeople>[1], ...readings: Reading[]) =>
  gather(withoutPeople(of(...readings), facts))

test('a natural person has the number of the register instead of her name', async () => {
  const { licensee } = await read(
    german,
    holder('4012', 'Jürgen Musterfeld', { tradingNames: ['Musterfeld Lotto', 'Glückshafen'] }),
    holder('4013', 'Ulrike Sommerfeldt', { registrationNumber: 'HRA 77' }),
    holder('4014', 'Sommerfeldt Lotto GmbH'),
  )
  expect(licensee.map(each => [each.legalName, each.tradingNames, each.isPerson])).toEqual([
    ['Natural person (register no. 4012)', ['Glückshafen'], true],
    ['Natural person (register no. HRA 77)', [], true],
    ['Sommerfeldt Lotto GmbH', [], undefined],
  ])
})

test('a register that identifies people by their names has keys without names, which fit together', async () => {
  const licenseeKey = 'Jürgen Musterfeld'
  const license: Reading = {
    record: 'license',
    recordKey: `${licenseeKey}|Lotterien`,
    licenseNumber: null,
    licenseType: 'Lotterien',
    status: null,
    licenseeKey,
    issuedAt: null,
    expiresAt: null,
    sourceUrl: null,
    role: null,
  }
  const site: Reading = {
    record: 'authorisation',
    recordKey: `${licenseeKey}|Lotterien|lotto.example`,
    domain: 'lotto.example',
    published: 'lotto.example',
    status: null,
    counts: true,
    licenseKey: license.recordKey,
    licenseeKey,
  }
  const list = await read(german, site, holder(licenseeKey, licenseeKey), license)
  expect(JSON.stringify(list)).not.toMatch(/Musterfeld|Jürgen/)
  const [person] = list.licensee
  expect(person?.legalName).toBe('Natural person')
  expect([list.license[0]?.licenseeKey, list.authorisation[0]?.licenseeKey]).toEqual([
    person?.recordKey,
    person?.recordKey,
  ])
  expect(list.authorisation[0]?.licenseKey).toBe(list.license[0]?.recordKey)
})

test('people to write to are cut off the names of organisations', async () => {
  const danish = { language: 'en', regulator_country_code: 'DK' }
  const name = 'Foreningen Sportens Venner v/kasserer Jens Prøvesen'
  const { licensee } = await read(danish, holder(name.toLowerCase(), name))
  expect(licensee.map(each => [each.recordKey, each.legalName])).toEqual([
    ['foreningen sportens venner', 'Foreningen Sportens Venner'],
  ])
})

test('a name in doubt is published and reported', async () => {
  const { licensee, notice } = await read(german, holder('7', 'Musterfeld Jürgen'))
  expect(licensee.map(each => each.legalName)).toEqual(['Musterfeld Jürgen'])
  expect(notice).toMatchObject([{ notice: 'may be a natural person: published as a company' }])
})

test('names that a law makes public are published, and still are those of people', async () => {
  const { licensee } = await read(
    { ...german, people_public_by: '§ 1 of a fictional act' },
    holder('7', 'Jürgen Musterfeld'),
  )
  expect(licensee).toMatchObject([{ legalName: 'Jürgen Musterfeld', isPerson: true }])
})
