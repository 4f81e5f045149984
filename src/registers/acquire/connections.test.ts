/** Many probes and fetches run at once. One that waited for a second connection could wait for all others. */
import { readBlocklist } from '@baize/registers/test/described'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  fileAnswer,
  networkAllowing,
  startTestServer,
  type TestServer,
} from '../../../packages/outbound/fixture.ts'
import { openWorld } from '../../database/open.ts'
import { day, fakeStream, openTestWorld, type TestWorld } from '../fixture.ts'
import { fetchRegister } from './fetch-register.ts'
import { probeRegister } from './probe-register.ts'

let testWorld: TestWorld
let server: TestServer
beforeAll(async () => {
  testWorld = await openTestWorld()
  server = await startTestServer()
})
afterAll(async () => {
  await server.close()
  await testWorld.close()
})

test('a probe and a fetch each need one connection to the database', async () => {
  const stream = fakeStream('otterland.blocklist', { covers: ['blocklist'], read: readBlocklist })
  const official = {
    ...stream.official,
    files: [{ url: `${server.url}/list.txt`, resolve: { by: 'direct' as const } }],
  }
  const serve = (count: number) => {
    const hosts = Array.from({ length: count }, (_, index) => `otter-${10 + index}.example\n`)
    server.answer('/list.txt', fileAnswer(hosts.join(''), `"${count}"`))
  }
  const options = (number: number) => ({ now: day(number), network: networkAllowing(server.host) })
  serve(20)
  expect(await fetchRegister(testWorld.world, { ...stream, official }, options(1))).toMatchObject({
    rows: 20,
  })
  serve(19)
  const world = openWorld('public', { connection: testWorld.connection, connectionsMax: 1 })
  try {
    expect(await probeRegister(world, { ...stream, official }, options(2))).toMatchObject({ rows: 19 })
    expect(await fetchRegister(world, { ...stream, official }, options(2))).toMatchObject({ rows: 19 })
  } finally {
    await world.close()
  }
})
