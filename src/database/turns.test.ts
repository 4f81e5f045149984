import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../test/harness/database.ts'
import { openWorld, type World } from './open.ts'
import { deferTurns, sweepTurns, takeTurn } from './turns-store.ts'

let database: TestDatabase
let worlds: World[]
beforeAll(async () => {
  database = await createTestDatabase()
  worlds = [1, 2].map(() => openWorld('public', { connection: database.connection }))
})
afterAll(async () => {
  for (const world of worlds) await world.close()
  await database.drop()
})

const turn = (host: string, waitMsMax = 3_600_000, of = 0) =>
  takeTurn((worlds[of] as World).database, host, { gapMs: 1_000, waitMsMax })

test('requests of all processes to one host are spaced by the required gap', async () => {
  const waits = await Promise.all(
    Array.from({ length: 60 }, (_, index) => turn('one.example', undefined, index % 2)),
  )
  const sorted = (waits as number[]).toSorted((one, other) => one - other)
  // The statements take a moment, which shortens a wait and never a gap.
  sorted.forEach((wait, place) => {
    expect(wait).toBeLessThanOrEqual(place * 1_000)
    expect(wait).toBeGreaterThan(place * 1_000 - 1_000)
  })
})

test('requests to different hosts do not wait for each other', async () => {
  expect(await turn('two.example')).toBe(0)
  expect(await turn('three.example')).toBe(0)
})

test('a request to a host whose queue is longer than the allowed wait gets no turn', async () => {
  for (let place = 0; place < 5; place++) await turn('long.example')
  expect(await turn('long.example', 2_000)).toBeNull()
  expect(await turn('long.example', 2_000)).toBeNull()
  const next = await turn('long.example')
  expect(next).toBeGreaterThan(4_000)
  expect(next).toBeLessThanOrEqual(5_000)
})

test('two processes that query 2,000 names at one server respect the rate of the server', async () => {
  const { database: shared } = worlds[0] as World
  const startedMs = performance.now()
  let taken = 0
  const askInTurn = async (world: number) => {
    for (let name = 0; name < 200; name++)
      if ((await turn('registry.example', 55_000, world)) !== null) taken += 1
  }
  await Promise.all(Array.from({ length: 10 }, (_, index) => askInTurn(index % 2)))
  // One turn becomes free each second.
  expect(taken).toBeLessThanOrEqual(57 + (performance.now() - startedMs) / 1_000)
  expect(taken).toBeGreaterThanOrEqual(55)
  await deferTurns(shared, 'registry.example', 600_000)
  for (let asked = 0; asked < 100; asked++) expect(await turn('registry.example', 55_000)).toBeNull()
})

test('turns in the past are deleted, and turns that a server has deferred stay', async () => {
  const { database: shared } = worlds[0] as World
  await sweepTurns(shared)
  expect(await turn('registry.example', 55_000)).toBeNull()
})
