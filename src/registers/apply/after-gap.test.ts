/** The first snapshot follows older files here. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { verifyReplay } from '../../verify/replay.ts'
import { day, entry, fakeStream, fileOf, openTestWorld, type TestWorld } from '../fixture.ts'
import { syncRegister } from './sync-register.ts'

let testWorld: TestWorld
beforeAll(async () => {
  testWorld = await openTestWorld()
})
afterAll(() => testWorld.close())

/** The stream's data are stale after three days. */
const sync = (key: string, number: number, domains: string[], isBackfill = false) =>
  syncRegister(testWorld.world, fakeStream(key), [fileOf(...domains.map(domain => entry(domain)))], {
    takenAt: day(number),
    now: day(number),
    isBackfill,
  })

test('changes since old imported files are history if the next snapshot was taken much later', async () => {
  await sync('poland.blocklist', 1, ['a.example'], true)
  await sync('poland.blocklist', 5, ['a.example', 'b.example'])
  await sync('poland.blocklist', 9, ['a.example', 'b.example', 'c.example'])
  await sync('italy.blocklist', 1, ['d.example'], true)
  await sync('italy.blocklist', 3, ['d.example', 'e.example'])
  const signals = await testWorld.rowsOf('signals')
  expect(signals.map(each => [each.record_key, each.is_backfill])).toEqual([
    ['b.example', true],
    ['c.example', false],
    ['e.example', false],
  ])
  const { differences } = await verifyReplay(testWorld.world, testWorld.connection)
  expect(differences).toEqual([])
})
