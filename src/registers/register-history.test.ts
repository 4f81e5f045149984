import type { Reading } from '@baize/registers'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { syncRegister } from './apply/sync-register.ts'
import {
  authorisation,
  day,
  entry,
  fakeStream,
  fileOf,
  license,
  licensee,
  openTestWorld,
  type TestWorld,
} from './fixture.ts'
import { registerHistory } from './register-history.ts'

let testWorld: TestWorld

beforeAll(async () => {
  testWorld = await openTestWorld()
})
afterAll(() => testWorld.close())

const malta = fakeStream('malta.sites')

test('the history lists the runs of a register, newest first', async () => {
  const sync = (number: number, ...readings: Reading[]) =>
    syncRegister(testWorld.world, malta, [fileOf(...readings)], { takenAt: day(number), now: day(number) })
  const site = authorisation('a.example', { licenseKey: 'L1' })
  await sync(1, entry('c.example'), entry('b.example'), site, licensee('C1'), license('L1', 'C1'))
  const applied = await sync(2, entry('b.example'), site, licensee('C1'), license('L1', 'C1'))
  await sync(3, entry('b.example'), site, licensee('C1'), license('L1', 'C1'))
  await sync(1, entry('b.example'))

  const { snapshot_ref } = applied
  expect(await registerHistory(testWorld.world, 'malta.sites')).toMatchObject([
    { status: 'refused', snapshot_ref: null, number: null, added: null },
    { status: 'unchanged', snapshot_ref, number: 2, added: null },
    { status: 'applied', snapshot_ref, number: 2, added: 0, removed: 1, changed: 0, taken_at: day(2) },
    { status: 'applied', number: 1, added: 4 },
  ])
  expect(await registerHistory(testWorld.world, 'never.sites')).toEqual([])
})
