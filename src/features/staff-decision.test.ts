import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestWorld, type TestWorld } from '../dataset/fixture.ts'
import { lockFacts } from '../journal/index.ts'
import { withFactsLock } from './staff-decision-store.ts'

let testWorld: TestWorld
beforeAll(async () => {
  testWorld = await openTestWorld()
})
afterAll(() => testWorld.close())

test('a decision during a sync or import fails with a message and changes nothing', async () => {
  const { promise: ended, resolve: end } = Promise.withResolvers<void>()
  const { promise: begun, resolve: begin } = Promise.withResolvers<void>()
  const writing = testWorld.world.database.transaction().execute(async tx => {
    await lockFacts(tx)
    begin()
    await ended
  })
  await begun
  let decided = 0
  const decision = withFactsLock(testWorld.world, async () => (decided += 1), {
    lockWaitMsMax: 10,
    statementMsMax: 1_000,
  })
  await expect(decision).rejects.toMatchObject({
    name: 'StaffError',
    message: 'A register sync or import is running. Nothing was changed; try again when it has ended.',
  })
  end()
  await writing
  expect([decided, await withFactsLock(testWorld.world, async () => (decided += 1))]).toEqual([0, 1])
})
