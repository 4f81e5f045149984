import type { Reading } from '@baize/registers'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import {
  authorisation,
  day,
  fakeStream,
  fileOf,
  license,
  openTestWorld,
  syncApproved,
  type TestWorld,
} from '../fixture.ts'

let testWorld: TestWorld

beforeAll(async () => {
  testWorld = await openTestWorld()
})
afterEach(() => testWorld.empty())
afterAll(() => testWorld.close())

const ukraine = fakeStream('ukraine.sites', { regulator: 'the agency' })
const bystander = authorisation('bystander.example')
const casino = (status: 'active' | 'cancelled') =>
  authorisation('casino.example', {
    recordKey: 'licensed:casino.example',
    status,
    counts: status === 'active',
  })

const sync = (number: number, ...readings: Reading[]) =>
  syncApproved(testWorld.world, ukraine, [fileOf(bystander, ...readings)], {
    takenAt: day(number),
    now: day(number),
  })

const headlines = async () => (await testWorld.rowsOf('signals')).map(signal => signal.headline)

test('a headline names a site by its domain, even if the site is no longer authorised', async () => {
  await sync(1)
  await sync(2, casino('active'))
  await sync(3, casino('cancelled'))
  await sync(4)
  expect(await headlines()).toEqual([
    'casino.example: added to the register of the agency',
    'casino.example: status changed on the register of the agency to cancelled',
    'casino.example: authorised domains changed on the register of the agency',
    'casino.example: removed from the register of the agency',
  ])
  const [came] = await testWorld.rowsOf('signals')
  expect(came).not.toHaveProperty('content.change_set.after.domain')
})

test('a headline names the host that was added or removed, and not its site', async () => {
  const hosted = (host: string) =>
    authorisation('otter.example', { recordKey: host, published: `${host}/en?ref=1` })
  await sync(1, hosted('casino.otter.example'))
  await sync(2, hosted('sports.otter.example'))
  expect(await headlines()).toEqual([
    'casino.otter.example: removed from the register of the agency',
    'sports.otter.example: added to the register of the agency',
  ])
  const [went, came] = await testWorld.rowsOf('signals')
  expect(went).not.toHaveProperty('content.change_set.before.published')
  expect(came).not.toHaveProperty('content.change_set.after.published')
})

test('a headline names a license without a holder by its number', async () => {
  await sync(1)
  await sync(2, license('key-of-ours', 'nobody', { licenseNumber: 'RG-0007' }))
  expect(await headlines()).toEqual([
    'an unnamed licensee (license RG-0007): added to the register of the agency',
  ])
})
