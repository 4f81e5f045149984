import { expect, onTestFinished, test } from 'vitest'
import { openTestWorld } from '../dataset/fixture.ts'
import { verifyAll } from './index.ts'
import { factKinds } from './replay-store.ts'

test('a verification says what it compares, which event it replays, and the lines of an import', async () => {
  const testWorld = await openTestWorld()
  onTestFinished(() => testWorld.close())
  await testWorld.load([
    { kind: 'domain', domain: 'a.example' },
    { kind: 'blocklist_entry', regulator: 'poland', domain: 'a.example' },
  ])
  const said: string[] = []
  const { ok, checks } = await verifyAll(testWorld.world, testWorld.connection, doing => said.push(doing))
  expect(ok).toBe(true)
  const derived = checks.slice(0, -1).map(({ name }) => name)
  expect(said.slice(0, derived.length)).toEqual(derived)
  expect(said.slice(derived.length)).toEqual([
    ...factKinds.map(kind => `reading ${kind}`),
    'replaying event 1 of 1',
    'replaying event 1 of 1: 2 lines read',
    ...factKinds.map(kind => `comparing ${kind} after the replay`),
  ])
})
