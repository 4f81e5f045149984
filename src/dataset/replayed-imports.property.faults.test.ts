import fc from 'fast-check'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { verifySignals } from '../features/signals/index.ts'
import { type Line, openTestWorld, replayImports, type TestWorld } from './fixture.ts'

let testWorld: TestWorld
let replayed: TestWorld
beforeAll(async () => {
  testWorld = await openTestWorld()
  replayed = await openTestWorld()
})
afterAll(async () => {
  await testWorld.close()
  await replayed.close()
})

const few = <Value>(...values: Value[]) => fc.constantFrom(...values)
const domain = few('a.example', 'b.example', 'c.test')
const company = few('acme', 'umbrella')
const seenAt = few('2025-01-01T00:00:00.000Z', '2025-06-01T00:00:00.000Z', '2026-01-01T00:00:00.000Z')
const sometimes = <Value>(value: fc.Arbitrary<Value>) => fc.option(value, { nil: undefined })

const issuedAt: Record<string, string> = {
  'ukgc 1': '2019-01-01',
  'ukgc 2': '2020-01-01',
  'mga 1': '2021-01-01',
  'mga 2': '2022-01-01',
}

const fact: fc.Arbitrary<Line> = fc.oneof(
  fc.record({
    kind: fc.constant('company'),
    key: company,
    role: few(['operator'], ['game_studio']),
    company_name: few('Acme', 'Umbrella'),
  }),
  fc.record({
    kind: fc.constant('platform'),
    key: few('p', 'q'),
    name: few('P', 'Q'),
    reviewed: fc.boolean(),
  }),
  fc.record({
    kind: fc.constant('domain'),
    domain,
    company,
    relation: few('licensee', 'brand_owner'),
    brand: sometimes(few('One', 'Two')),
  }),
  fc
    .record({
      kind: fc.constant('license'),
      jurisdiction: few('ukgc', 'mga'),
      license_number: few('1', '2'),
      status: few('Active', 'Revoked'),
      company: sometimes(company),
      authorized_domains: fc.uniqueArray(domain, { maxLength: 2 }),
    })
    // Each license has another date, because a verdict names the Company of the first ref among licenses of
    // one day. Refs differ in a replay.
    .map(line => ({ ...line, issued_at: issuedAt[`${line.jurisdiction} ${line.license_number}`] })),
  fc.record({
    kind: fc.constant('blocklist_entry'),
    regulator: few('poland', 'italy'),
    domain,
    listed: fc.boolean(),
  }),
  fc.record({
    kind: fc.constant('platform_reading'),
    domain,
    platform: few('p', 'q'),
    seen_at: sometimes(seenAt),
  }),
)
const named: Line[] = [
  ...['acme', 'umbrella'].map(key => ({ kind: 'company', key, company_name: key, role: ['operator'] })),
  { kind: 'domain', domain: 'a.example', company: 'acme', relation: 'licensee' },
  { kind: 'platform_reading', domain: 'a.example', platform: 'p', seen_at: '2026-01-01T00:00:00.000Z' },
  ...['p', 'q'].map(key => ({ kind: 'platform', key, name: key, reviewed: key === 'p' })),
]

/** This reading precedes the first one of a reported site, and so corrects when the site was first seen. */
const earlierReading: Line = {
  kind: 'platform_reading',
  domain: 'a.example',
  platform: 'p',
  seen_at: '2025-01-01T00:00:00.000Z',
}

async function signalsOf({ world }: TestWorld): Promise<unknown[]> {
  const { rows } = await sql`
    select number, signal_ref, event_type, headline, occurred_at, detected_at, last_corrected_at, content
      from signals
     order by number`.execute(world.database)
  return rows
}

test('replaying the recorded imports in an empty world gives the same facts and Signals', async () => {
  let signalCount = 0
  let corrected = 0
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.array(fact, { minLength: 1, maxLength: 8 }), { maxLength: 6 }),
      async files => {
        await testWorld.empty()
        await replayed.empty()
        for (const [index, lines] of [named, ...files].entries()) {
          await testWorld.load(lines, { now: new Date(Date.UTC(2026, 5, 1 + index)) })
        }
        await replayImports(testWorld, replayed)
        expect(await replayed.dump()).toEqual(await testWorld.dump())
        const signals = await signalsOf(testWorld)
        expect(await signalsOf(replayed)).toEqual(signals)
        for (const { world } of [testWorld, replayed]) expect(await verifySignals(world.database)).toEqual([])
        signalCount += signals.length
        corrected += signals.filter(
          each => (each as { last_corrected_at: unknown }).last_corrected_at !== null,
        ).length
      },
    ),
    { numRuns: 20, endOnFailure: true, examples: [[[[earlierReading]]]] },
  )
  // The check ensures that not only empty lists are compared.
  expect(signalCount).toBeGreaterThan(0)
  expect(corrected).toBeGreaterThan(0)
})
