import fc from 'fast-check'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type Line, later, loadedAt, openTestWorld, type TestWorld } from './fixture.ts'

let held: TestWorld
beforeAll(async () => {
  held = await openTestWorld()
})
beforeEach(() => held.empty())
afterAll(() => held.close())

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
    select domain.domain, held.fetched_at, held.data
      from firmographics held
      join domains domain on domain.id = held.domain_id
     order by domain.domain`.execute(held.world.database)
  return rows
}

test('a result is held with every field, under the registrable domain', async () => {
  const { kind: _, domain, fetched_at, ...data } = full
  await held.load([{ ...full, domain: 'https://www.otter.example/about' }])
  expect(await rows()).toEqual([{ domain, fetched_at: new Date(String(fetched_at)), data }])
})

test('a field that is left out is null; so are an empty size and a headquarters of nulls', async () => {
  await held.load([{ ...undated('Otter'), company_size: [], headquarters: { city: null } }])
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

test('the latest result is held, in whatever order they come', async () => {
  for (const files of [[[older, full]], [[full, older]], [[older], [full]], [[full], [older]]]) {
    await held.empty()
    for (const lines of files) await held.load(lines)
    expect((await rows()).map(({ data }) => data.name)).toEqual(['Ottermoor'])
  }
})

test('a file that is loaded twice changes nothing, dated or not', async () => {
  const lines = [full, undated('Someone else'), { ...undated('Heron'), domain: 'heron.example' }]
  const first = await held.load(lines)
  expect(first.loaded.firmographics).toEqual({ added: 2, changed: 0, unchanged: 1 })
  const before = await rows()
  const second = await held.load(lines, { now: later })
  expect(second.loaded.firmographics).toEqual({ added: 0, changed: 0, unchanged: 3 })
  expect(await rows()).toEqual(before)
})

test('a line without a date is news only where it says something else', async () => {
  await held.load([undated('Otter')])
  await held.load([undated('Otter')], { now: later })
  expect((await rows())[0]?.fetched_at).toEqual(loadedAt)
  await held.load([undated('Ottermoor')], { now: later })
  expect((await rows())[0]).toMatchObject({ fetched_at: later, data: { name: 'Ottermoor' } })
})

test('a later result that says the same is a change: what is held is younger', async () => {
  await held.load([older])
  const report = await held.load([{ ...older, fetched_at: full.fetched_at }])
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
  [{ fetched_at: '1066-10-14T09:00:00Z' }, 'is no time of our era'],
  [{ name: ' Otter' }, 'name'],
  [{ ceo: 'Otto' }, 'ceo'],
])('%j is refused', async (field, reason) => {
  const { rejects } = await held.load([{ ...full, ...field }])
  expect(rejects).toHaveLength(1)
  expect(rejects[0]?.reason).toContain(reason)
  expect(await rows()).toEqual([])
})

test('a result that tells nothing is none', async () => {
  const { rejects } = await held.load([{ kind: 'firmographics', domain: 'otter.example', website: null }])
  expect(rejects.map(({ reason }) => reason)).toEqual(['tells nothing of the site'])
})

test('search is told that something changed, and only then', async () => {
  const version = async () => {
    const { rows } = await sql<{ version: number }>`select version from dataset_version`.execute(
      held.world.database,
    )
    return rows[0]?.version ?? 0
  }
  const before = await version()
  await held.load([full])
  const changed = await version()
  expect(changed).toBeGreaterThan(before)
  await held.load([full, older])
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

test('a dump loads back to the same, byte for byte, and what is held does not depend on the order of files', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.uniqueArray(results, { maxLength: 8, selector: line => `${line.domain} ${line.fetched_at}` }),
      async lines => {
        await held.empty()
        await held.load(lines)
        const dumped = await held.dump()
        await held.empty()
        await held.load([...lines].reverse())
        expect(await held.dump()).toEqual(dumped)
        await held.empty()
        await held.load(dumped)
        expect(await held.dump()).toEqual(dumped)
      },
    ),
    { numRuns: 8 },
  )
})
