/** The bytes of these files differ in each download, but the rows do not. */
import { readBlocklist } from '@baize/registers/test/described'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import {
  fileAnswer,
  networkAllowing,
  startTestServer,
  type TestServer,
} from '../../../packages/outbound/fixture.ts'
import { day, fakeStream, openTestWorld, type TestWorld } from '../fixture.ts'
import { fetchRegister } from './fetch-register.ts'

let testWorld: TestWorld
let server: TestServer
beforeAll(async () => {
  testWorld = await openTestWorld()
  server = await startTestServer()
})
afterEach(() => testWorld.empty())
afterAll(async () => {
  await server.close()
  await testWorld.close()
})

const otterland = fakeStream('otterland.blocklist', { covers: ['blocklist'], read: readBlocklist })
const list = (...hosts: string[]) => `${hosts.join('\n')}\n`
const serve = (content: string, etag: string) => server.answer('/list.txt', fileAnswer(content, etag))
const fetchOtterland = (now: Date) =>
  fetchRegister(testWorld.world, otterland, {
    urls: [`${server.url}/list.txt`],
    now,
    network: networkAllowing(server.host),
  })

test('a file that differs only in a comment confirms the snapshot, and is not stored', async () => {
  const nights = (hosts: string[], night: number) =>
    serve(`# night ${night}\n${list(...hosts)}`, `"v${night}"`)
  const hosts = ['lucky-otter.example', 'golden-heron.example', 'red-fox.example']
  nights(hosts, 1)
  expect(await fetchOtterland(day(1))).toMatchObject({ status: 'applied', added: 3 })
  const stored = (await testWorld.rowsOf('kept_files')).length
  nights(hosts, 2)
  expect(await fetchOtterland(day(2))).toMatchObject({ status: 'unchanged', rows: 3 })
  expect(await testWorld.rowsOf('register_snapshots')).toHaveLength(1)
  expect(await testWorld.rowsOf('kept_files')).toHaveLength(stored)
  expect((await testWorld.rowsOf('register_streams'))[0]).toMatchObject({ last_confirmed_at: day(2) })
})

test('a file with the rows of an earlier snapshot and a new comment is quarantined once', async () => {
  const hosts = ['lucky-otter.example', 'golden-heron.example', 'red-fox.example']
  serve(`# night 1\n${list(...hosts)}`, '"v1"')
  await fetchOtterland(day(1))
  serve(`# night 2\n${list('red-fox.example', 'lucky-otter.example')}`, '"v2"')
  expect(await fetchOtterland(day(2))).toMatchObject({ status: 'applied', removed: 1, signals: 1 })
  for (const night of [3, 4]) {
    serve(`# night ${night}\n${list(...hosts)}`, `"v${night}"`)
    expect(await fetchOtterland(day(night))).toMatchObject({
      status: 'held',
      signals: 0,
      reasons: [expect.stringMatching(/the rows are those of snap_\w+, taken at 2026-01-01/)],
    })
  }
  expect((await testWorld.rowsOf('register_snapshots')).map(each => each.status)).toEqual([
    'applied',
    'applied',
    'held',
  ])
})
