import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { createTestDirectory } from '../../test/harness/directory.ts'
import { openSources, type Sources } from '../features/companies/fixture.ts'
import { keepDistinct, listDuplicates, showCompany, verifyCompanies } from '../features/companies/index.ts'
import { authorisation, day, license, licensee, openTestWorld, type TestWorld } from '../registers/fixture.ts'
import { verifyReplay } from '../verify/replay.ts'
import { dumpWorld, importFiles } from './index.ts'

let testWorld: TestWorld
let sources: Sources
beforeAll(async () => {
  testWorld = await openTestWorld()
  sources = openSources(testWorld.world)
})
afterEach(() => testWorld.empty())
afterAll(() => testWorld.close())

const lei = { scheme: 'lei', value: '529900T8BM49AURSDO55' }
const otherLei = { scheme: 'lei', value: '5493001KJTIIGC8Y1R12' }
const number = (value: string, register = 'MT') => ({ scheme: 'company_number', value, register })
const company = (key: string, name: string, ...identifiers: object[]) => ({
  kind: 'company',
  key,
  company_name: name,
  legal_entity: `${name} Ltd`,
  identifiers,
})

const dump = async () => {
  const lines: string[] = []
  await dumpWorld(testWorld.world, line => void lines.push(line), { kinds: ['company'] })
  return lines.map(line => JSON.parse(line))
}
const linksOf = async (identity: string) =>
  (await showCompany(testWorld.world, await sources.refOf(identity))).links.map(
    ({ identity_key, evidence, value, with_key }) => `${identity_key} ${evidence} ${value} ${with_key}`,
  )
const expectConsistent = async () => {
  const { world, connection } = testWorld
  expect((await verifyCompanies(world.database)).differences).toEqual([])
  expect((await verifyReplay(world, connection)).differences).toEqual([])
}

test('two lines of a file with one LEI are one Company, and each key refers to it', async () => {
  await sources.load(
    day(10),
    company('otter', 'Otter', lei),
    company('moor', 'Moor', { ...lei, value: lei.value.toLowerCase() }),
    { kind: 'domain', domain: 'moor.example', company: 'moor', relation: 'brand_owner' },
  )
  expect(await sources.companies()).toEqual(['import:moor import:otter = Moor'])
  expect(await linksOf('import:moor')).toEqual([`otter lei ${lei.value} moor`])
  await expectConsistent()
})

test('an LEI links a line to the Company of an earlier file, under another key', async () => {
  await sources.load(day(10), company('otter', 'Otter', lei))
  const ref = await sources.refOf('import:otter')
  await sources.load(day(11), company('moor', 'Otter Moor', lei), {
    kind: 'license',
    jurisdiction: 'mga',
    license_number: '7',
    company: 'moor',
    authorized_domains: ['moor.example'],
  })
  expect(await sources.refOf('import:moor')).toBe(ref)
  const [verdict] = await testWorld.rowsOf('domains')
  const [owner] = (await testWorld.rowsOf('companies')).filter(row => row.company_ref === ref)
  expect(verdict).toMatchObject({ domain: 'moor.example', licensee_company_id: owner?.id })
  await sources.load(day(12), company('moor', 'Otter Moor', lei))
  expect((await showCompany(testWorld.world, ref)).decisions).toHaveLength(1)
  await expectConsistent()
})

test('a company number links a line to the account of a register, in either order', async () => {
  const holder = licensee('M1', { legalName: 'Otter Ltd', country: 'MT', registrationNumber: 'C 1095' })
  await sources.sync('malta', day(10), holder)
  await sources.load(
    day(11),
    company('otter', 'Lucky Otter', number('c-1095')),
    company('stoat', 'Stoat', number('C 77')),
  )
  expect(await sources.companies()).toEqual([
    'import:otter malta.licences:M1 = Otter Ltd',
    'import:stoat = Stoat',
  ])
  await sources.sync(
    'sweden',
    day(12),
    licensee('S1', { legalName: 'Stoat plc', country: 'MT', registrationNumber: 'C 77' }),
    license('L1', 'S1'),
    authorisation('s.example', { licenseKey: 'L1', licenseeKey: 'S1' }),
  )
  expect(await sources.companies()).toContain('import:stoat sweden.licences:S1 = Stoat')
  await expectConsistent()
})

test('known Companies of one LEI with two names are a pair for staff, who may keep them apart', async () => {
  await sources.load(
    day(10),
    company('otter', 'Otter'),
    company('moor', 'Moor'),
    company('lake', 'Lake', otherLei),
  )
  await sources.load(day(11), company('otter', 'Otter', lei), company('moor', 'Moor', lei))
  expect(await sources.companies()).toHaveLength(3)
  expect((await listDuplicates(testWorld.world, { limit: 9 })).candidates).toMatchObject([
    { names: ['Moor', 'Otter'], for: ['same number'] },
  ])
  await sources.load(day(12), company('pond', 'Pond'))
  const [one, other] = [await sources.refOf('import:pond'), await sources.refOf('import:lake')]
  await keepDistinct(testWorld.world, { one, other, reason: 'two parties', now: day(12) })
  await sources.load(day(13), company('pond', 'Lake', otherLei))
  expect(await sources.companies()).toHaveLength(4)
  await expectConsistent()
})

test('an identifier that a file corrects links again, and a lost one is shown as lost', async () => {
  await sources.load(day(10), company('otter', 'Otter', lei), company('moor', 'Otter', lei))
  await sources.load(day(11), company('moor', 'Otter', otherLei))
  const { links } = await showCompany(testWorld.world, await sources.refOf('import:otter'))
  expect(links).toMatchObject([{ evidence: 'lei', lost_at: day(11) }])
})

test('a dump writes identifiers back, and a load of it changes nothing', async () => {
  await sources.load(day(10), company('otter', 'Otter', number('C 1095'), lei), company('stoat', 'Stoat'))
  await sources.sync(
    'malta',
    day(10),
    licensee('M7', { legalName: 'Moor Ltd', country: 'MT', registrationNumber: 'C 7' }),
    licensee('M8', { legalName: 'Wren Ltd', country: 'MT', registrationNumber: 'C 777' }),
  )
  const written = await dump()
  expect(written.map(({ company_name: name, identifiers }) => [name, identifiers])).toEqual(
    expect.arrayContaining([
      ['Otter', [number('C1095'), lei]],
      ['Stoat', undefined],
      ['Wren Ltd', [number('C777')]],
    ]),
  )
  const before = await sources.companies()
  await sources.load(day(11), ...written)
  expect([await sources.companies(), await dump()]).toEqual([before, written])
})

async function loadSome(records: readonly object[]) {
  const directory = await createTestDirectory()
  const file = join(directory.path, 'some.ndjson')
  await writeFile(file, records.map(record => JSON.stringify(record)).join('\n'))
  const options = { now: day(10), mode: 'skip-invalid' } as const
  return importFiles(testWorld.world, [file], options).finally(directory.remove)
}

test.each<[reason: string, identifier: object]>([
  [
    'identifiers[0].value: "529900T8BM49AURSDO56" is not an LEI of 20 signs with right check digits',
    { ...lei, value: '529900T8BM49AURSDO56' },
  ],
  ['identifiers[0].register: only a company_number has one', { ...lei, register: 'MT' }],
  [
    'identifiers[0].register: must be a country such as MT, or a market code',
    { scheme: 'company_number', value: 'C 1095' },
  ],
  ['identifiers[0].register: must be a country such as MT, or a market code', number('C 1095', 'Malta')],
  ['identifiers[0].value: "N/A" must have 3 letters or digits, and a digit other than 0', number('N/A')],
  ['identifiers[0].scheme: must be one of lei, company_number', { scheme: 'vat', value: 'MT123' }],
])('a bad identifier rejects its line alone: %s', async (reason, identifier) => {
  const records = [company('otter', 'Otter', identifier), company('stoat', 'Stoat', lei)]
  const report = await loadSome(records)
  expect(report.rejects).toMatchObject([{ line: 1, reason }])
  expect(await sources.companies()).toEqual(['import:stoat = Stoat'])
})

test('a line has one identifier of each scheme', async () => {
  const records = [company('otter', 'Otter', lei, otherLei)]
  const report = await loadSome(records)
  expect(report.rejects).toMatchObject([{ reason: 'identifiers[1]: only one lei can be given' }])
})
