import type { Reading } from '@baize/registers'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  authorisation,
  day,
  entry,
  fakeStream,
  fileOf,
  license,
  licensee,
  openTestWorld,
  syncApproved,
  type TestWorld,
} from '../fixture.ts'

let testWorld: TestWorld

beforeAll(async () => {
  testWorld = await openTestWorld()
})
afterAll(() => testWorld.close())

/** The generator has few names, so that snapshots share and repeat records, and name missing ones. */
const domain = fc.constantFrom('a.example', 'b.example', 'c.example')
const licenseKey = fc.constantFrom('L1', 'L2')
const licenseeKey = fc.constantFrom('C1', 'C2')
const date = fc.constantFrom(day(1).toISOString(), day(2).toISOString(), null)

const reading: fc.Arbitrary<Reading> = fc.oneof(
  fc
    .record({
      listed: fc.boolean(),
      listedAt: date,
      delistedAt: date,
      path: fc.constantFrom(null, '/casino'),
    })
    .chain(({ path, ...fields }) =>
      domain.map(name => {
        const published = `${name}${path ?? ''}`
        return entry(name, {
          ...fields,
          published,
          listedAs: published,
          scope: path === null ? 'domain' : 'path',
        })
      }),
    ),
  fc
    .tuple(licenseeKey, fc.constantFrom('One Limited', 'Two Limited'))
    .map(([key, legalName]) => licensee(key, { legalName })),
  fc
    .record({
      status: fc.constantFrom('active', 'suspended', null),
      licenseNumber: fc.constantFrom('7', '8'),
    })
    .chain(fields => fc.tuple(licenseKey, licenseeKey).map(([key, holder]) => license(key, holder, fields))),
  fc
    .record({ counts: fc.boolean(), licenseKey: fc.option(licenseKey), licenseeKey: fc.option(licenseeKey) })
    .chain(fields => domain.map(name => authorisation(name, fields))),
)
const snapshot = fc.array(reading, { minLength: 1, maxLength: 12 })

test('the facts in force are those of the last snapshot, in any order of its rows', async () => {
  const shuffled = snapshot.chain(rows =>
    fc.tuple(fc.constant(rows), fc.shuffledSubarray(rows, { minLength: rows.length })),
  )
  await fc.assert(
    fc.asyncProperty(snapshot, shuffled, async (earlier, [rows, again]) => {
      const stream = fakeStream('malta.sites')
      const sync = (number: number, readings: Reading[]) =>
        syncApproved(testWorld.world, stream, [fileOf(...readings)], {
          takenAt: day(number),
          now: day(number),
        })

      await testWorld.empty()
      await sync(1, rows)
      const alone = await testWorld.factsInForce()

      await testWorld.empty()
      await sync(1, earlier)
      await sync(2, rows)
      expect(await testWorld.factsInForce()).toEqual(alone)

      const report = await sync(3, [...again, ...again.slice(0, 1)])
      expect([report.added, report.removed, report.changed]).toEqual([0, 0, 0])
      expect(await testWorld.factsInForce()).toEqual(alone)
    }),
    { numRuns: 15 },
  )
})
