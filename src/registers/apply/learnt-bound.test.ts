/** A snapshot may remove four times the largest share that one of the stream's applied snapshots removed. */
import type { Reading, Stream } from '@baize/registers'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import {
  authorisation,
  day,
  entry,
  fakeStream,
  fileOf,
  openTestWorld,
  syncApproved,
  type TestWorld,
} from '../fixture.ts'
import { listRegisters } from '../list-registers.ts'
import { discardSnapshot } from './discard-snapshot.ts'
import { syncRegister } from './sync-register.ts'

let testWorld: TestWorld

beforeAll(async () => {
  testWorld = await openTestWorld()
})
afterEach(() => testWorld.empty())
afterAll(() => testWorld.close())

const poland = fakeStream('poland.blocklist')
const hosts = Array.from({ length: 1_000 }, (_, number) => `n${String(number).padStart(4, '0')}.example`)
/** All entries but some in the middle, because a list that lost its end is quarantined as cut off. */
const without = (removed: number) => hosts.toSpliced(100, removed)

const files = (names: readonly string[]) => [fileOf(...names.map(name => entry(name)))]
const options = (number: number) => ({ takenAt: day(number), now: day(number) })
const sync = (number: number, removed: number, stream = poland) =>
  syncRegister(testWorld.world, stream, files(without(removed)), options(number))
const approved = (number: number, removed: number, stream = poland) =>
  syncApproved(testWorld.world, stream, files(without(removed)), options(number))
const discard = (ref: string | null, number: number) =>
  discardSnapshot(testWorld.world, { snapshotRef: ref as string, reason: 'half a file', now: day(number) })

const boundOf = async () => {
  const [listed] = await listRegisters(testWorld.world, [poland], day(20))
  return listed?.removal_bounds.blocklist_entries
}

test('a blocklist without a history may lose 2 %, and the reason has the figures', async () => {
  await sync(1, 0)
  expect(await sync(2, 21)).toMatchObject({
    status: 'held',
    reasons: [
      '21 of 1000 entries would be removed; the bound is 20 ' +
        '(2 %, without an earlier change to compare with; of a short list 10, at most a third)',
    ],
  })
  expect(await boundOf()).toEqual({ bound: 20, share: 0.02, largest_removal: null, snapshots: 0 })
  expect(await sync(3, 20)).toMatchObject({ status: 'applied', removed: 20 })
})

test('a list of domains without a history may lose 10 %', async () => {
  const malta = fakeStream('malta.sites')
  const syncSites = (number: number, removed: number) => {
    const rows: Reading[] = without(removed).map(host => authorisation(host))
    return syncRegister(testWorld.world, malta, [fileOf(...rows)], options(number))
  }
  await syncSites(1, 0)
  expect(await syncSites(2, 101)).toMatchObject({
    status: 'held',
    reasons: [expect.stringContaining('the bound is 100 (10 %')],
  })
  expect(await syncSites(3, 100)).toMatchObject({ status: 'applied', removed: 100 })
})

test('a list that lost few entries so far may lose 1 %', async () => {
  await sync(1, 0)
  await sync(2, 2)
  await sync(3, 0)
  expect(await sync(4, 11)).toMatchObject({
    status: 'held',
    reasons: [
      expect.stringContaining('the bound is 10 (1 %, as 2 earlier changes removed at most 2 of 1000'),
    ],
  })
})

test('an approved snapshot moves the bound, at once', async () => {
  await sync(1, 0)
  await approved(2, 30)
  await sync(3, 0)
  expect(await boundOf()).toEqual({
    bound: 120,
    share: 0.12,
    largest_removal: { removed: 30, of: 1_000 },
    snapshots: 2,
  })
  expect(await sync(4, 121)).toMatchObject({
    status: 'held',
    reasons: [
      expect.stringContaining('(12 %, four times the 30 of 1000 that one of 2 earlier changes removed'),
    ],
  })
  expect(await sync(5, 120)).toMatchObject({ status: 'applied', removed: 120 })
})

test('a discarded snapshot does not move the bound', async () => {
  await sync(1, 0)
  const { snapshot_ref: quarantined } = await sync(2, 300)
  await discard(quarantined, 3)
  expect(await boundOf()).toMatchObject({ bound: 20, snapshots: 0 })
  const { snapshot_ref: applied } = await sync(4, 20)
  await discard(applied, 5)
  expect(await boundOf()).toMatchObject({ bound: 20, snapshots: 0 })
})

test('what a newer parser or another form removes does not move the bound', async () => {
  const read = (parserVersion: number, removed: number, isMirror: boolean): Stream => ({
    ...poland,
    parserVersion,
    async *read() {
      if (isMirror) yield { record: 'notice', notice: "read in a mirror's form", published: 'list' }
      for (const name of without(removed)) yield entry(name)
    },
  })
  await sync(1, 0, read(1, 0, false))
  await approved(2, 0, read(2, 300, false))
  await approved(3, 500, read(2, 500, true))
  expect(await testWorld.rowsOf('register_snapshots')).toHaveLength(3)
  expect(await boundOf()).toMatchObject({ largest_removal: null, snapshots: 0 })
})

test('removals that release 0.1.0 applied count, by their sum', async () => {
  await sync(1, 0)
  await approved(2, 30)
  await sync(3, 0)
  await sql`update register_snapshots set figures = figures - 'removals'`.execute(testWorld.world.database)
  expect(await boundOf()).toEqual({
    bound: 120,
    share: 0.12,
    largest_removal: { removed: 30, of: 1_000 },
    snapshots: 2,
  })
})
