import { fileOfBytes } from '@baize/tables'
import { describe, expect, test } from 'vitest'
import { fixture, gather, rejectTexts } from '../../test/gather.ts'
import { readMaltaLicensees } from './read-licensees.ts'

const read = (content: string) => gather(readMaltaLicensees([fileOfBytes('register.json', content)]))
const register = await gather(
  readMaltaLicensees([fixture(new URL('fixtures/licensees.json', import.meta.url))]),
)
const record = (fields: object) => ({
  companyName: 'Lucky Otter Malta Limited',
  authorisationNumber: 'MGA/B2C/9001/2025',
  registrationNumber: 'C 900100',
  types: [1],
  ...fields,
})

test('a company is one licensee in any spelling of its registration number', () => {
  expect(register.licensee.map(row => [row.recordKey, row.legalName, row.registrationNumber])).toEqual([
    ['C 900100', 'Lucky Otter Malta Limited', 'C 900100'],
    ['C 900200', 'Golden Heron Games Ltd', 'C 0900200'],
    ['OC 9003', 'Red Fox Group Limited', 'OC 9003'],
    ['name:silver owl sweden ab', 'Silver Owl Sweden AB', null],
    ['name:silver carp sweden ab', 'Silver Carp Sweden AB', null],
    ['C 900300', 'Old Crane Limited', 'C 900300'],
  ])
  expect(register.licensee.map(row => row.country)).toEqual(['MT', 'MT', 'MT', null, null, 'MT'])
})

test('companies without a registration number are not combined', () => {
  const holders = register.license
    .filter(row => /900[67]/.test(row.licenseNumber ?? ''))
    .map(row => row.licenseeKey)
  expect(new Set(holders).size).toBe(2)
})

test('the number of an authorisation gives license type and role', () => {
  expect(
    register.license.map(row => [row.licenseNumber, row.licenseType, row.role, row.licenseeKey]),
  ).toEqual([
    ['MGA/B2C/9001/2025', 'B2C gaming service: type 1, type 2', 'operator', 'C 900100'],
    ['MGA/B2B/9002/2025', 'B2B critical gaming supply: type 1', 'supplier', 'C 900200'],
    ['MGA/CRP/9003/2025', 'corporate group: type 1, type 2, type 3', null, 'OC 9003'],
    ['MGA/B2B/9004/2025', 'B2B critical gaming supply: type 3', 'supplier', 'C 900100'],
    ['MGA/B2C/9005/2025', 'B2C gaming service', 'operator', 'C 900200'],
    ['MGA/B2C/9006/2025', 'B2C gaming service: type 1', 'operator', 'name:silver owl sweden ab'],
    ['MGA/B2C/9007/2025', 'B2C gaming service: type 1', 'operator', 'name:silver carp sweden ab'],
    ['MGA/CL1/900/2008', null, null, 'C 900300'],
  ])
})

test('unpublished facts stay null: status, date and domain', () => {
  const { status, issuedAt, expiresAt, sourceUrl } = register.license[0] ?? {}
  expect({ status, issuedAt, expiresAt, sourceUrl }).toEqual({
    status: null,
    issuedAt: null,
    expiresAt: null,
    sourceUrl: null,
  })
  expect(register.authorisation).toEqual([])
})

test('unusable rows are rejected, and a second name of a company is reported', () => {
  expect(rejectTexts(register.reject)).toEqual([
    'empty MGA/B2C/9008/2025 C 900400 1',
    'unparsable MGA/B2C/9009/2025',
    'duplicate mga/b2c/9001/2025',
  ])
  expect(register.notice.map(each => `${each.notice}: ${each.published}`)).toEqual([
    'another name of the company "Golden Heron Games Ltd": C 900200 Golden Heron Studio Ltd',
  ])
})

test('the order of records changes neither names nor licenses', async () => {
  const records = [
    record({ companyName: 'Lucky Otter Malta Ltd', authorisationNumber: 'MGA/B2C/9002/2025' }),
    record({ companyName: 'Lucky Otter Malta Ltd', authorisationNumber: 'MGA/B2B/9003/2025' }),
    record({}),
    record({ types: [2] }),
    record({ companyName: 'Golden Heron Ltd', registrationNumber: 'C 900200' }),
  ]
  const [one, other] = await Promise.all(
    [records, records.toReversed()].map(async order => {
      const { licensee, license, notice, reject } = await read(JSON.stringify(order))
      const licenses = license.toSorted((a, b) => (a.recordKey < b.recordKey ? -1 : 1))
      return { licensee, licenses, notice, rejects: rejectTexts(reject) }
    }),
  )
  expect(one?.licensee.map(row => row.legalName)).toEqual(['Lucky Otter Malta Ltd'])
  expect(one?.notice.map(each => each.published)).toEqual(['C 900100 Lucky Otter Malta Limited'])
  expect(one?.rejects).toEqual(['duplicate MGA/B2C/9001/2025', 'duplicate MGA/B2C/9001/2025'])
  expect(other).toEqual(one)
})

test('a list without metadata gives the same records', async () => {
  const one = await read(JSON.stringify({ source: 'x', records: [record({})] }))
  const other = await read(JSON.stringify([record({})]))
  expect(other).toEqual(one)
  expect(other.license).toHaveLength(1)
})

test('the spelling of a registration number changes neither license nor holder', async () => {
  const spellings = await Promise.all(
    ['C 900100', 'C900100', 'C-900100', 'c  900100'].map(registrationNumber =>
      read(JSON.stringify([record({ registrationNumber })])),
    ),
  )
  for (const { licensee, license } of spellings)
    expect([licensee[0]?.recordKey, license[0]]).toEqual(['C 900100', spellings[0]?.license[0]])
})

describe('files that are not the register', () => {
  test.each([
    [
      'without the numbers',
      JSON.stringify([{ companyName: 'Otter' }]),
      /expected the members \[authorisationNumber/,
    ],
    ['without records', '{"records": []}', /expected the members \[companyName/],
    ['an error', '{"message": "Unauthorized"}', /expected rows at records/],
    ['cut off', JSON.stringify([record({})]).slice(0, -5), /not complete JSON/],
  ])('a file that is not the register of Malta is refused: %s', async (_what, content, message) => {
    await expect(read(content)).rejects.toThrow(message)
  })
})

test('an unknown member of the register is reported', async () => {
  const { notice, license } = await read(JSON.stringify([record({ sealUrl: 'https://seal.example/' })]))
  expect([notice[0]?.published, license.length]).toEqual(['sealUrl', 1])
})
