import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { verifyListings, verifyObserved, verifyVerdicts } from '../features/domains/index.ts'
import { type Line, later, loadedAt, openTestWorld, type TestWorld } from './fixture.ts'
import { importFiles } from './index.ts'

let small: TestWorld
beforeAll(async () => {
  small = await openTestWorld()
})
afterAll(() => small.close())

const few = <Value>(...values: Value[]) => fc.constantFrom(...values)
const domain = few('a.example', 'b.example', 'c.test', 'xn--bcher-kva.example')
const companyKey = few('acme', 'umbrella', 'hooli')
const moment = few('2025-01-01T00:00:00.000Z', '2025-06-01T00:00:00.000Z', '2026-01-01T00:00:00.000Z')
const listOf = <Value>(value: fc.Arbitrary<Value>) => fc.uniqueArray(value, { maxLength: 3 })
const sometimes = <Value>(value: fc.Arbitrary<Value>) => fc.option(value, { nil: undefined })

/** Generated lines refer to these companies and platforms. */
const named: Line[] = [
  ...['acme', 'umbrella', 'hooli'].map(key => ({ kind: 'company', key, company_name: key.toUpperCase() })),
  ...['p', 'q'].map(key => ({ kind: 'platform', key, name: key, reviewed: key === 'p' })),
]

const licenses = fc.record({
  kind: fc.constant('license'),
  jurisdiction: few('ukgc', 'mga'),
  license_number: few('1', '2'),
  status: sometimes(few('Active', 'Revoked')),
  company: sometimes(companyKey),
  issued_at: sometimes(few('2020-02-02', '2021-02-02')),
  authorized_domains: listOf(domain),
  first_seen_at: moment,
})
const entries = fc
  .record({
    kind: fc.constant('blocklist_entry'),
    regulator: few('poland', 'italy'),
    domain,
    seen: fc.tuple(moment, moment).map(dates => dates.toSorted()),
    listed: fc.boolean(),
  })
  .map(({ seen, ...rest }) => ({ ...rest, first_seen_at: seen[0], last_seen_at: seen[1] }))
const observations = fc
  .record({
    kind: fc.constant('observation'),
    domain,
    section: fc.constant('payment_methods'),
    normalized_name: few('visa', 'skrill'),
    category: few('card', 'ewallet', null),
    seen: fc.tuple(moment, moment).map(dates => dates.toSorted()),
  })
  .map(({ seen, ...rest }) => ({ ...rest, first_seen_at: seen[0], last_seen_at: seen[1] }))
const readings = fc.record({
  kind: fc.constant('platform_reading'),
  domain,
  platform: few('p', 'q'),
  seen_at: moment,
})
const links = fc.record({
  kind: fc.constant('domain'),
  domain,
  company: companyKey,
  relation: few('licensee', 'brand_owner'),
  brand: sometimes(few('One', 'Two')),
  inferred_geo: sometimes(few('SE', 'NO')),
})

const keyFields = [
  'kind',
  'jurisdiction',
  'license_number',
  'regulator',
  'domain',
  'section',
  'normalized_name',
  'platform',
  'seen_at',
  'company',
  'relation',
]
const naturalKey = (line: Line) =>
  JSON.stringify(
    keyFields.filter(name => line.kind !== 'license' || name !== 'company').map(name => line[name]),
  )

const worlds = fc
  .uniqueArray(fc.oneof(licenses, entries, observations, readings, links) as fc.Arbitrary<Line>, {
    selector: naturalKey,
    maxLength: 25,
  })
  .map(lines => [...named, ...lines])
const runs = { numRuns: 8 }

async function expectDerivedToAgree(): Promise<void> {
  const { database } = small.world
  expect((await verifyVerdicts(database)).differences).toEqual([])
  expect(await verifyListings(database)).toEqual([])
  expect(await verifyObserved(database)).toEqual([])
}

test('an import gives the same data in any order of its lines and files', {
  timeout: 120_000,
}, async () => {
  // The last of several inferred_geo of a domain wins, so their order matters.
  const unplaced = worlds.map(lines => lines.map(({ inferred_geo: _, ...line }) => line as Line))
  const shuffled = unplaced.chain(lines =>
    fc.tuple(
      fc.constant(lines),
      fc.shuffledSubarray(lines, { minLength: lines.length, maxLength: lines.length }),
      fc.nat(lines.length),
    ),
  )
  await fc.assert(
    fc.asyncProperty(shuffled, async ([lines, mixed, cut]) => {
      await small.empty()
      await small.load(lines)
      const dumped = await small.dump()
      await expectDerivedToAgree()
      await small.empty()
      const files = [await small.write(mixed.slice(0, cut)), await small.write(mixed.slice(cut))]
      await importFiles(small.world, files, { mode: 'strict', now: loadedAt })
      expect(await small.dump()).toEqual(dumped)
    }),
    runs,
  )
})

test('loading lines twice changes nothing, even with several lines about one record', {
  timeout: 120_000,
}, async () => {
  await fc.assert(
    fc.asyncProperty(worlds, worlds, async (one, other) => {
      await small.empty()
      await small.load([...one, ...other])
      const dumped = await small.dump()
      const again = await small.load([...one, ...other], { now: later })
      for (const counts of Object.values(again.loaded)) expect(counts).toMatchObject({ added: 0, changed: 0 })
      expect(await small.dump()).toEqual(dumped)
    }),
    runs,
  )
})

test('after a second world is loaded over a first, every derived value is correct', {
  timeout: 120_000,
}, async () => {
  await fc.assert(
    fc.asyncProperty(worlds, worlds, async (one, other) => {
      await small.empty()
      await small.load(one)
      await small.load(other, { now: later })
      await expectDerivedToAgree()
      const dumped = await small.dump()
      await small.empty()
      await small.load(dumped)
      expect(await small.dump()).toEqual(dumped)
    }),
    runs,
  )
})
