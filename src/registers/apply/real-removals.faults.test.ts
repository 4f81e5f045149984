/**
 * These tests remove rows from real lists. As many as the stream's bound allows are applied, one more is
 * not.
 */

import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { findStream, type NormalisedRow, type Reading, type Stream } from '@baize/registers'
import { type Removal, removalBound, removalsAllowed } from '@baize/registers/guard'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type RealSnapshot, realSnapshots } from '../../../scripts/journey-files.ts'
import { fakeStream, fileOf, openTestWorld, type TestWorld } from '../fixture.ts'
import { sourceFileFrom } from '../index.ts'
import { syncRegister } from './sync-register.ts'

const directory = fileURLToPath(new URL('../../../../shared/data/', import.meta.url))
const snapshots = existsSync(directory) ? realSnapshots(directory) : []
const newest = [...new Map(snapshots.map(each => [each.stream, each])).values()]
const dropsPerStream = 3

let testWorld: TestWorld
beforeAll(async () => {
  testWorld = await openTestWorld()
})
afterAll(() => testWorld.close())

/** Returns the records of the most numerous kind in the register, in its order. */
function recordsOf(readings: readonly Reading[]): NormalisedRow[] {
  const kinds = ['blocklist_entry', 'authorisation', 'license'] as const
  const lists = kinds.map(kind => {
    const rows = readings.filter(reading => reading.record === kind)
    return rows.filter(row => row.record !== 'blocklist_entry' || row.listed)
  })
  return lists.toSorted((one, other) => other.length - one.length)[0] as NormalisedRow[]
}

type Whole = { stream: Stream; readings: Reading[]; records: NormalisedRow[] }

/** Makes a stream with the facts of the real one, whose files are readings. */
async function wholeOf({ stream: key, files }: RealSnapshot): Promise<Whole> {
  const real = findStream(key) as Stream
  const sources = await Promise.all(files.map(sourceFileFrom))
  const readings = await Array.fromAsync(real.read(sources))
  return { stream: { ...real, read: fakeStream(key).read }, readings, records: recordsOf(readings) }
}

describe.skipIf(snapshots.length === 0)('removals from real lists (skipped without ../shared/data)', () => {
  test.each(newest.map(each => [each.stream, each] as const))(
    'removals from %s are applied up to the bound, and quarantined beyond it',
    async (_key, snapshot) => {
      const { stream, readings, records } = await wholeOf(snapshot)
      await testWorld.empty()
      let minute = 0
      const syncWithout = async (dropped: ReadonlySet<Reading>) => {
        minute += 1
        const now = new Date(Date.UTC(2026, 10, 1, 0, minute))
        const left = readings.filter(reading => !dropped.has(reading))
        return syncRegister(testWorld.world, stream, [fileOf(...left)], { takenAt: now, now })
      }
      const { record: kind } = records[0] as NormalisedRow
      let snapshots = 0
      let largest: Removal = { removed: 0, of: 1 }
      const boundNow = () =>
        removalBound(kind, records.length, {
          snapshots,
          largest: largest.removed === 0 ? {} : { [kind]: largest },
        }).bound
      /**
       * The last record stays, because a list without its end is quarantined as cut off, whatever its size.
       */
      const droppable = records.length - 1
      const dropOf = (count: number, isSpread: boolean, seed: number) => {
        const start = seed % (droppable - count + 1)
        const step = isSpread ? Math.max(1, Math.floor(droppable / count)) : 1
        const first = isSpread ? 0 : start
        return new Set(Array.from({ length: count }, (_, index) => records[first + index * step] as Reading))
      }
      /** A snapshot with fewer than 70 % of the records is quarantined, too. */
      const fewest = removalsAllowed(records.length, 0.3)
      const check = async (count: number, isSpread: boolean, seed: number) => {
        const bound = boundNow()
        const { status, reasons, removed } = await syncWithout(dropOf(count, isSpread, seed))
        const share = `the bound is ${bound} `
        // A few accounts of Great Britain have most of the licences, so their removal empties a field.
        const others = reasons.filter(reason => !reason.includes(' is filled in '))
        if (count <= Math.min(bound, fewest)) expect({ count, others }).toEqual({ count, others: [] })
        else {
          expect({ count, status }).toEqual({ count, status: 'held' })
          if (count > bound) expect(reasons.filter(reason => reason.includes(share))).not.toEqual([])
        }
        expect(removed).toBeGreaterThanOrEqual(count)
        if (status !== 'applied') return
        if (count / records.length > largest.removed / largest.of)
          largest = { removed: count, of: records.length }
        expect(await syncWithout(new Set())).toMatchObject({ status: 'applied' })
        snapshots += 2
      }
      expect(await syncWithout(new Set())).toMatchObject({ status: 'applied', reasons: [] })
      const first = boundNow()
      await check(first + 1, false, 7)
      await check(first, false, 7)
      await check(Math.min(boundNow() + 1, droppable - 1), false, 7)
      const middle = Math.floor(records.length / 2)
      await check(Math.ceil(records.length * 0.12), false, middle)
      const drops = fc.tuple(fc.integer({ min: 1, max: droppable - 1 }), fc.boolean(), fc.nat())
      await fc.assert(
        fc.asyncProperty(drops, ([count, isSpread, seed]) => check(count, isSpread, seed)),
        { numRuns: dropsPerStream, endOnFailure: true },
      )
    },
    120_000,
  )
})
