import type { Reading } from '@baize/registers'
import fc from 'fast-check'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { startChild } from '../../../test/harness/child.ts'
import { verifySignals } from '../../features/signals/index.ts'
import { verifyVerdictChanges } from '../../features/verdict-changes/index.ts'
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
afterEach(async () => {
  expect(await verifySignals(testWorld.world.database)).toEqual([])
  expect((await verifyVerdictChanges(testWorld.world.database)).differences).toEqual([])
  await testWorld.empty()
})
afterAll(() => testWorld.close())

const stream = fakeStream('ukgc.licences')
const older: Reading[] = [
  licensee('A'),
  license('L1', 'A'),
  entry('red.example'),
  authorisation('a.example', { licenseKey: 'L1' }),
]
const newer: Reading[] = [
  licensee('A'),
  licensee('B'),
  license('L1', 'A', { status: 'suspended' }),
  license('L2', 'B'),
  entry('blue.example'),
  authorisation('a.example', { licenseKey: 'L1' }),
  authorisation('b.example', { licenseKey: 'L2' }),
]
const statementsMax = 80
const kills = 6

async function syncHere(number: number, readings: Reading[]) {
  return syncApproved(testWorld.world, stream, [fileOf(...readings)], {
    takenAt: day(number),
    now: day(number),
  })
}

function syncInChild(statements: number): Promise<{ status: string; statements: number } | null> {
  const child = startChild<{ status: string; statements: number }>(
    'sync-until-killed.ts',
    JSON.stringify(testWorld.connection),
    String(statements),
    day(2).toISOString(),
    ...newer.map(reading => JSON.stringify(reading)),
  )
  return child.hello.catch(() => null)
}

const signals = async () =>
  (await testWorld.rowsOf('signals')).map(({ number, signal_ref, event_type }) => [
    number,
    signal_ref,
    event_type,
  ])

const changes = async () =>
  (await testWorld.rowsOf('verdict_changes')).map(row => [
    ...[row.number, row.verdict_before, row.verdict_after, row.cause, row.markets],
  ])

test('a sync killed at any statement writes all or nothing, and a repeated sync is the same', async () => {
  await syncHere(1, older)
  await syncHere(2, newer)
  const [expected, facts] = [await signals(), await testWorld.factsInForce()]
  const expectedChanges = await changes()
  expect(expectedChanges.length).toBeGreaterThan(4)
  expect(expected.length).toBeGreaterThan(3)
  const through = fc.integer({ min: 1, max: statementsMax })
  await fc.assert(
    fc.asyncProperty(through, async statements => {
      await testWorld.empty()
      await syncHere(1, older)
      const [before, changesBefore] = [await testWorld.factsInForce(), await changes()]
      const done = await syncInChild(statements)
      if (done === null) {
        // The sync was killed before or just after the commit, so it wrote none or all.
        const now = await signals()
        expect([[], expected]).toContainEqual(now)
        expect(await changes()).toEqual(now.length === 0 ? changesBefore : expectedChanges)
        if (now.length === 0) expect(await testWorld.factsInForce()).toEqual(before)
      }
      await syncHere(2, newer)
      expect(await signals()).toEqual(expected)
      expect(await testWorld.factsInForce()).toEqual(facts)
      expect(await changes()).toEqual(expectedChanges)
    }),
    { numRuns: kills, endOnFailure: true },
  )
})
