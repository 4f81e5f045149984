import { afterAll, beforeAll, expect, test } from 'vitest'
import { startService, type TestService } from '../../../../test/harness/service.ts'
import { matchClaims, type StoredClaim } from './match-claims.ts'

let service: TestService
const ids = new Map<string, number>()

beforeAll(async () => {
  service = await startService({ world: 'demo' })
  const { database } = service.service.live
  for (const { id, domain } of await database.selectFrom('domains').select(['id', 'domain']).execute())
    ids.set(domain, Number(id))
})
afterAll(() => service.close())

const claim = (changes: Partial<StoredClaim> & { domain?: string }): StoredClaim => {
  const { domain = 'luckyotter.example', ...more } = changes
  const domainId = ids.get(domain) as number
  return { domainId, name: 'Ottermoor Gaming Limited', licenseNumber: null, market: null, ...more }
}
const mga = { market: 'mga', licenseNumber: 'MGA/B2C/9901/2019' }

const [zonkey, badger] = ['Zonkey Mängud OÜ', 'Badger & Sons Turf Accountants Limited']

async function matchOf(changes: Parameters<typeof claim>[0]): Promise<string> {
  const [match] = await matchClaims(service.service.live.database, [claim(changes)])
  expect(match?.matched_as).toBe(match?.matched_company_ref === null ? null : 'licensee')
  return `${match?.status}: ${match?.why}`
}

test.each<[string, Parameters<typeof claim>[0], string]>([
  ['the holder’s number', mga, 'matched: holder_of_number'],
  [
    'the number in another spelling',
    { market: 'mga', licenseNumber: 'mga / b2c / 9901 / 2019' },
    'matched: holder_of_number',
  ],
  [
    'a British number without its counter',
    { market: 'ukgc', licenseNumber: '099101-R-339101' },
    'matched: holder_of_number',
  ],
  [
    'the holder’s name in another spelling',
    { ...mga, name: 'OTTERMOOR GAMING LTD.' },
    'matched: holder_of_number',
  ],
  [
    'the holder’s name with an article',
    { ...mga, name: 'The Ottermoor Gaming Ltd' },
    'matched: holder_of_number',
  ],
  [
    'the holder’s name divided in other words',
    { ...mga, name: 'Otter Moor Gaming Ltd' },
    'matched: holder_of_number',
  ],
  ['the holder’s name without a form', { ...mga, name: 'Ottermoor Gaming' }, 'matched: holder_of_number'],
  ['another holder’s number', { ...mga, name: 'Heron Lane Limited' }, 'conflict: number_of_another'],
  [
    'a number that authorises other sites',
    { ...mga, domain: 'luckyotter-ie.example' },
    'conflict: number_of_other_sites',
  ],
  [
    'the number of an expired license',
    { domain: 'zonkey.example', market: 'mga', licenseNumber: 'MGA/B2C/9905/2021', name: zonkey },
    'conflict: number_not_in_force',
  ],
  [
    'the number of a revoked license',
    { domain: 'badgerandsons.example', market: 'ukgc', licenseNumber: '099103-R-339104', name: badger },
    'conflict: number_not_in_force',
  ],
  [
    'a number of another market',
    { market: 'ukgc', licenseNumber: mga.licenseNumber, name: 'X Ltd' },
    'unresolved: nothing_known',
  ],
  [
    'a number that no register has',
    { market: 'mga', licenseNumber: 'MGA/B2C/1/2001', name: 'X Ltd' },
    'unresolved: nothing_known',
  ],
  ['the licensee’s name alone', {}, 'matched: licensee_of_site'],
  ['another name alone', { name: 'Heron Lane Limited' }, 'unresolved: nothing_known'],
  ['the same name with another form', { name: 'Ottermoor Gaming N.V.' }, 'unresolved: nothing_known'],
])('a claim is compared with the registers: %s', async (_title, changes, expected) => {
  expect(await matchOf(changes)).toBe(expected)
})

test.each<[string, Parameters<typeof claim>[0], string]>([
  ['is another holder’s', { ...mga, name: 'Heron Lane Limited' }, 'Ottermoor Gaming Limited'],
  ['authorises other sites', { ...mga, domain: 'luckyotter-ie.example' }, 'Ottermoor Gaming Limited'],
  [
    'is no longer in force',
    { domain: 'zonkey.example', market: 'mga', licenseNumber: 'MGA/B2C/9905/2021', name: zonkey },
    zonkey,
  ],
])('a conflict names the Company whose number it is: the number %s', async (_title, changes, holder) => {
  const { database } = service.service.live
  const [match] = await matchClaims(database, [claim(changes)])
  const company = await database
    .selectFrom('companies')
    .select('legal_entity')
    .where('company_ref', '=', match?.matched_company_ref ?? '')
    .executeTakeFirst()
  expect([match?.status, company?.legal_entity]).toEqual(['conflict', holder])
})

test('matchClaims returns the results for claims of several sites in the order of the claims', async () => {
  const claims = [
    claim({ name: 'Heron Lane Limited' }),
    claim(mga),
    claim({ ...mga, domain: 'luckyotter-ie.example' }),
  ]
  const matches = await matchClaims(service.service.live.database, claims)
  expect(matches.map(({ status }) => status)).toEqual(['unresolved', 'matched', 'conflict'])
})
