import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestWorld, type TestWorld } from '../dataset/fixture.ts'
import { lockFacts } from '../journal/index.ts'
import { withFactsLock } from './staff-decision-store.ts'

let held: TestWorld
beforeAll(async () => {
  held = await openTestWorld()
})
afterAll(() => held.close())

test('a decision that meets a sync or an import says so, and changes nothing', async () => {
  const { promise: ended, resolve: end } = Promise.withResolvers<void>()
  const { promise: begun, resolve: begin } = Promise.withResolvers<void>()
  const writing = held.world.database.transaction().execute(async tx => {
    await lockFacts(tx)
    begin()
    await ended
  })
  await begun
  let decided = 0
  const decision = withFactsLock(held.world, async () => (decided += 1), {
    lockWaitMsMax: 10,
    statementMsMax: 1_000,
  })
  await expect(decision).rejects.toMatchObject({
    name: 'StaffError',
    message: 'A register sync or an import is writing; nothing was changed, try again when it is done.',
  })
  end()
  await writing
  expect([decided, await withFactsLock(held.world, async () => (decided += 1))]).toEqual([0, 1])
})
