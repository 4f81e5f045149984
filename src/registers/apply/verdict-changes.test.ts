import type { Reading } from '@baize/registers'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
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
import { discardSnapshot } from './discard-snapshot.ts'

let testWorld: TestWorld

beforeAll(async () => {
  testWorld = await openTestWorld()
})
afterEach(async () => {
  expect((await verifyVerdictChanges(testWorld.world.database)).differences).toEqual([])
  await testWorld.empty()
})
afterAll(() => testWorld.close())

const sync = (number: number, readings: Reading[], { key = 'malta.sites', isBackfill = false } = {}) =>
  syncApproved(testWorld.world, fakeStream(key), [fileOf(...readings)], {
    takenAt: day(number),
    now: day(number),
    isBackfill,
  })

const changes = async () =>
  (await testWorld.rowsOf('verdict_changes')).map(row => [
    row.number,
    row.verdict_before,
    row.verdict_after,
    row.cause,
    row.is_correction,
    row.is_free,
  ])

const site = authorisation('a.example', { licenseKey: 'L1' })
const licensed = [licensee('C1'), license('L1', 'C1'), site]
const revoked = [licensee('C1'), license('L1', 'C1', { status: 'revoked' }), site]

test('A first snapshot is free coverage, and a later change is news with its Signals', async () => {
  await sync(1, licensed)
  await sync(2, revoked)
  expect(await changes()).toEqual([
    [1, 'no_record', 'licensed', 'coverage', false, true],
    [2, 'licensed', 'no_record', 'register', false, false],
  ])
  const [first, second] = await testWorld.rowsOf('verdict_changes')
  expect(first?.signal_refs).toEqual([])
  const signals = await testWorld.rowsOf('signals')
  expect(second?.signal_refs).toEqual(signals.map(signal => signal.signal_ref))
  expect(second).toMatchObject({ occurred_at: day(2), detected_at: day(2), markets: ['malta'] })
})

test('Another number or spelling is no change, and another market is one', async () => {
  await sync(1, licensed)
  await sync(2, [licensee('C1'), license('L1', 'C1', { licenseNumber: 'other' }), site])
  expect(await changes()).toHaveLength(1)
  await sync(3, [authorisation('a.example')], { key: 'sweden.sites' })
  await sync(4, [entry('a.example')], { key: 'poland.list' })
  expect((await changes()).slice(1)).toEqual([
    [2, 'licensed', 'licensed', 'coverage', false, true],
    [3, 'licensed', 'mixed', 'coverage', false, true],
  ])
})

test('A discard takes each change back, free of charge, and names the change and the Signals', async () => {
  await sync(1, licensed)
  const { snapshot_ref } = await sync(2, revoked)
  await discardSnapshot(testWorld.world, {
    snapshotRef: snapshot_ref as string,
    reason: 'a wrong file',
    now: day(3),
  })
  expect((await changes()).at(-1)).toEqual([3, 'no_record', 'licensed', 'register', true, true])
  const [, second, third] = await testWorld.rowsOf('verdict_changes')
  expect(third?.correction_of).toBe(second?.change_ref)
  const corrections = (await testWorld.rowsOf('signals')).filter(signal => signal.correction_of !== null)
  expect(third?.signal_refs).toEqual(corrections.map(signal => signal.signal_ref))
})

test('A backfill is free coverage', async () => {
  await sync(1, licensed, { isBackfill: true })
  await sync(2, revoked, { isBackfill: true })
  expect((await changes()).map(([, , , cause]) => cause)).toEqual(['coverage', 'coverage'])
})
