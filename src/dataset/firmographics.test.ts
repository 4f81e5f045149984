import fc from 'fast-check'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type Line, later, loadedAt, openTestWorld, type TestWorld } from './fixture.ts'

let testWorld: TestWorld
beforeAll(async () => {
  testWorld = await openTestWorld()
})
beforeEach(() => testWorld.empty())
afterAll(() => testWorld.close())

const full: Line = {
  kind: 'firmographics',
  domain: 'otter.example',
  fetched_at: '2026-03-01T08:00:00.000Z',
  name: 'Ottermoor',
  description: 'Games by the river.',
  industry: 'Gambling Facilities and Casinos',
  company_size: [51, 200],
  employee_count: 120,
  founded_year: 2012,
  headquarters: { city: 'Sliema', region: null, country: 'MT', postal_code: 'SLM 1000' },
  website: 'https://otter.example',
  linkedin_url: 'https://network.example/company/otter',
}
const older: Line = { ...full, fetched_at: '2025-03-01T08:00:00.000Z', name: 'Otter', employee_count: 90 }
const undated = (name: string): Line => ({ kind: 'firmographics', domain: 'otter.example', name })

async function rows() {
  const { rows } = await sql<{ domain: string; fetched_at: Date; data: Record<string, unknown> }>`
    select domain.domain, stored.fetched_at, stored.data
      from firmographics stored
      join domains domain on domain.id = stored.domain_id
     order by domain.domain`.execute(testWorld.world.database)
  return rows
}

test('a firmographic result is stored with every field, under the registrable domain', async () => {
  const { kind: _, domain, fetched_at, ...data } = full
  await testWorld.load([{ ...full, domain: 'https://www.otter.example/about' }])
  expect(await rows()).toEqual([{ domain, fetched_at: new Date(String(fetched_at)), data }])
})

test('an omitted field of a result is null, as are an empty size and an empty headquarters', async () => {
  await testWorld.load([{ ...undated('Otter'), company_size: [], headquarters: { city: null } }])
  expect((await rows())[0]?.data).toEqual({
    name: 'Otter',
    description: null,
    industry: null,
    company_size: null,
    employee_count: null,
    founded_year: null,
    headquarters: null,
    website: null,
    linkedin_url: null,
  })
})

test('the firmographic result with the latest date is stored, in any order of lines', async () => {
  for (const files of [[[older, full]], [[full, older]], [[older], [full]], [[full], [older]]]) {
    await testWorld.empty()
    for (const lines of files) await testWorld.load(lines)
    expect((await rows()).map(({ data }) => data.name)).toEqual(['Ottermoor'])
  }
})

test('loading a file of firmographics twice changes nothing, with dates or without', async () => {
  const lines = [full, undated('Someone else'), { ...undated('Heron'), domain: 'heron.example' }]
  const first = await testWorld.load(lines)
  expect(first.loaded.firmographics).toEqual({ added: 2, changed: 0, unchanged: 1 })
  const before = await rows()
  const second = await testWorld.load(lines, { now: later })
  expect(second.loaded.firmographics).toEqual({ added: 0, changed: 0, unchanged: 3 })
  expect(await rows()).toEqual(before)
})

test('a firmographic result without a date is stored only if its data differ', async () => {
  await testWorld.load([undated('Otter')])
  await testWorld.load([undated('Otter')], { now: later })
  expect((await rows())[0]?.fetched_at).toEqual(loadedAt)
  await testWorld.load([undated('Ottermoor')], { now: later })
  expect((await rows())[0]).toMatchObject({ fetched_at: later, data: { name: 'Ottermoor' } })
})

test('a later firmographic result with the same data updates the date', async () => {
  await testWorld.load([older])
  const report = await testWorld.load([{ ...older, fetched_at: full.fetched_at }])
  expect(report.loaded.firmographics).toEqual({ added: 0, changed: 1, unchanged: 0 })
  expect((await rows())[0]?.fetched_at).toEqual(new Date(String(full.fetched_at)))
})

test.each([
  [{ domain: '10.0.0.1' }, 'domain: "10.0.0.1" is an IP address, not a domain'],
  [{ employee_count: -1 }, 'employee_count'],
  [{ employee_count: 1.5 }, 'employee_count'],
  [{ founded_year: 900 }, 'founded_year'],
  [{ company_size: [1, 2, 3] }, 'company_size'],
  [{ headquarters: { planet: 'Mars' } }, 'planet'],
  [{ fetched_at: '1066-10-14T09:00:00Z' }, 'must be from the year 1900 to 2199'],
  [{ name: ' Otter' }, 'name'],
  [{ ceo: 'Otto' }, 'ceo'],
])('a result with %j is rejected', async (field, reason) => {
  const { rejects } = await testWorld.load([{ ...full, ...field }])
  expect(rejects).toHaveLength(1)
  expect(rejects[0]?.reason).toContain(reason)
  expect(await rows()).toEqual([])
})

test('a result without any value is rejected', async () => {
  const { rejects } = await testWorld.load([
    { kind: 'firmographics', domain: 'otter.example', website: null },
  ])
  expect(rejects.map(({ reason }) => reason)).toEqual(['no field has a value'])
})

test('the dataset version is raised only if something changed', async () => {
  const version = async () => {
    const { rows } = await sql<{ version: number }>`select version from dataset_version`.execute(
      testWorld.world.database,
    )
    return rows[0]?.version ?? 0
  }
  const before = await version()
  await testWorld.load([full])
  const changed = await version()
  expect(changed).toBeGreaterThan(before)
  await testWorld.load([full, older])
  expect(await version()).toBe(changed)
})

const maybe = <Value>(value: fc.Arbitrary<Value>) => fc.option(value, { nil: null })
const words = fc
  .string({ minLength: 1, maxLength: 20, unit: 'grapheme' })
  .filter(text => text === text.trim())
const results = fc
  .record({
    kind: fc.constant('firmographics'),
    domain: fc.constantFrom('a.example', 'b.example', 'c.example'),
    fetched_at: fc.constantFrom(
      '2024-01-01T00:00:00.000Z',
      '2025-01-01T00:00:00.000Z',
      '2026-01-01T00:00:00.000Z',
    ),
    name: words,
    description: maybe(words),
    company_size: maybe(fc.array(fc.nat(1_000), { maxLength: 2 })),
    employee_count: maybe(fc.nat(1_000_000)),
    founded_year: maybe(fc.integer({ min: 1_000, max: 2_199 })),
    headquarters: maybe(fc.record({ city: maybe(words), postal_code: maybe(words) })),
  })
  .map(line => line as Line)

test('a dump of results loads back byte for byte, and the order of files does not matter', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.uniqueArray(results, { maxLength: 8, selector: line => `${line.domain} ${line.fetched_at}` }),
      async lines => {
        await testWorld.empty()
        await testWorld.load(lines)
        const dumped = await testWorld.dump()
        await testWorld.empty()
        await testWorld.load([...lines].reverse())
        expect(await testWorld.dump()).toEqual(dumped)
        await testWorld.empty()
        await testWorld.load(dumped)
        expect(await testWorld.dump()).toEqual(dumped)
      },
    ),
    { numRuns: 8 },
  )
})
