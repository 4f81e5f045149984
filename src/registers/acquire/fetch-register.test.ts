import { readdir } from 'node:fs/promises'
import type { Stream } from '@baize/registers'
import { readBlocklist } from '@baize/registers/test/described'
import { fileOfBytes } from '@baize/tables'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import {
  fileAnswer,
  networkAllowing,
  startTestServer,
  type TestServer,
} from '../../../packages/outbound/fixture.ts'
import { createTestDirectory, type TestDirectory } from '../../../test/harness/directory.ts'
import { approveSnapshot } from '../apply/approve-snapshot.ts'
import { syncRegister } from '../apply/sync-register.ts'
import { day, fakeStream, openTestWorld, type TestWorld } from '../fixture.ts'
import { type FetchRegisterOptions, fetchRegister } from './fetch-register.ts'
import { listDueWatches, unwatchRegister, watchRegister } from './watch-register.ts'

let testWorld: TestWorld
let server: TestServer
/** The temporary directory of these tests shows files that were not removed. */
let directory: TestDirectory

beforeAll(async () => {
  directory = await createTestDirectory()
  vi.stubEnv('TMPDIR', directory.path)
  testWorld = await openTestWorld()
  server = await startTestServer()
})
beforeEach(() => {
  server.requests.length = 0
})
afterEach(async () => {
  await testWorld.empty()
  expect(await readdir(directory.path)).toEqual([])
})
afterAll(async () => {
  await server.close()
  await testWorld.close()
  vi.unstubAllEnvs()
  await directory.remove()
})

/** This list of blocked hosts has no minimum of rows. */
const otterland = fakeStream('otterland.blocklist', { covers: ['blocklist'], read: readBlocklist })

const list = (...hosts: string[]) => `${hosts.join('\n')}\n`
const serve = (content: string, etag: string, path = '/list.txt') =>
  server.answer(path, fileAnswer(content, etag))

function fetchOtterland(now: Date, options: Partial<FetchRegisterOptions> = {}) {
  const urls = [`${server.url}/list.txt`]
  return fetchRegister(testWorld.world, otterland, {
    urls,
    now,
    network: networkAllowing(server.host),
    ...options,
  })
}

const watchOtterland = (...paths: string[]) =>
  watchRegister(testWorld.world, otterland, {
    urls: (paths.length === 0 ? ['/list.txt'] : paths).map(path => `${server.url}${path}`),
    allowedHosts: [server.host],
  })

const streamRow = async () => (await testWorld.rowsOf('register_streams'))[0] ?? {}
const runs = () => testWorld.rowsOf('register_runs')
const hour = (number: number) => new Date(day(1).getTime() + number * 3_600_000)

describe('fetching a register', () => {
  test('a fetched register is applied from its address, taken at the time of the request', async () => {
    serve(list('lucky-otter.example', 'golden-heron.example'), '"v1"')
    const report = await fetchOtterland(day(1))
    expect(report).toMatchObject({ status: 'applied', fetch: 'fetched', try_again: false, added: 2 })
    expect(await testWorld.verdictOf('lucky-otter.example')).toContain('blocklisted')
    expect(await testWorld.rowsOf('register_snapshots')).toMatchObject([
      { taken_at: day(1), status: 'applied' },
    ])
  })

  test('the files of a register are fetched as one snapshot', async () => {
    serve(list('lucky-otter.example'), '"a"', '/a.txt')
    serve(list('golden-heron.example'), '"b"', '/b.txt')
    const several = fakeStream('otterland.blocklist', {
      covers: ['blocklist'],
      async *read(files) {
        for (const file of files) yield* readBlocklist([file])
      },
    })
    const report = await fetchRegister(testWorld.world, several, {
      urls: ['/a.txt', '/b.txt'].map(path => `${server.url}${path}`),
      now: day(1),
      network: networkAllowing(server.host),
    })
    expect(report).toMatchObject({ status: 'applied', added: 2 })
    const [snapshot] = await testWorld.rowsOf('register_snapshots')
    expect(snapshot?.files).toMatchObject([{ name: 'a.txt' }, { name: 'b.txt' }])
  })

  test('a failed fetch changes no fact, and the run has the reason', async () => {
    serve(list('lucky-otter.example'), '"v1"')
    await fetchOtterland(day(1))
    const before = await testWorld.factsInForce()
    server.answer('/list.txt', response => response.writeHead(503).end())
    const report = await fetchOtterland(day(2))
    const reason = expect.stringMatching(/\/list\.txt responded with status 503\. The site is overloaded/)
    expect(report).toMatchObject({
      status: 'refused',
      fetch: 'bad_status',
      try_again: true,
      reasons: [reason],
    })
    expect(await testWorld.factsInForce()).toEqual(before)
    expect(await runs()).toMatchObject([{ status: 'applied' }, { status: 'refused', reasons: [reason] }])
    expect(await streamRow()).toMatchObject({ last_taken_at: day(1), last_run_at: day(2) })
  })

  test('a fetch from an address that is not public is refused, unless it is allowed', async () => {
    serve(list('lucky-otter.example'), '"v1"')
    const report = await fetchOtterland(day(1), { network: networkAllowing() })
    expect(report).toMatchObject({ status: 'refused', fetch: 'refused_address', try_again: false })
    expect(server.requests).toEqual([])
  })

  test('a fetch that returns an HTML page in place of the list is refused', async () => {
    serve('<!DOCTYPE html><html><body>We are closed</body></html>', '"v1"')
    const report = await fetchOtterland(day(1))
    expect(report).toMatchObject({ status: 'refused', fetch: 'fetched', try_again: true })
    expect(await testWorld.factsInForce()).toEqual([])
  })

  test('a fetch reads no more bytes than the limit', async () => {
    serve(list('lucky-otter.example'), '"v1"')
    const report = await fetchOtterland(day(1), { fileBytesMax: 10 })
    expect(report).toMatchObject({ status: 'refused', fetch: 'too_large', try_again: false })
  })

  test('a fetch that is stopped leaves nothing behind', async () => {
    server.answer('/list.txt', () => {})
    await expect(fetchOtterland(day(1), { signal: AbortSignal.abort() })).rejects.toMatchObject({
      reason: 'stopped',
    })
    expect(await runs()).toEqual([])
  })
})

describe('a watched register', () => {
  test('a watched register that has not changed is confirmed without downloading it again', async () => {
    serve(list('lucky-otter.example'), '"v1"')
    await watchOtterland()
    const first = await fetchOtterland(day(1))
    const again = await fetchOtterland(day(2))
    expect(again).toMatchObject({
      status: 'unchanged',
      fetch: 'not_modified',
      snapshot_ref: first.snapshot_ref,
      rows: 1,
    })
    expect(server.requests.map(asked => asked.headers['if-none-match'])).toEqual([undefined, '"v1"'])
    expect(await streamRow()).toMatchObject({
      last_taken_at: day(2),
      last_confirmed_at: day(2),
      watched_at: day(2),
      watch_failures: 0,
    })
    expect(await runs()).toMatchObject([{ status: 'applied' }, { status: 'unchanged' }])
    expect((await testWorld.rowsOf('dataset_events')).at(-1)).toMatchObject({
      kind: 'confirmation',
      detail: { stream: 'otterland.blocklist', taken_at: day(2).toISOString() },
    })
  })

  test('a watched register that has changed is applied', async () => {
    serve(list('lucky-otter.example'), '"v1"')
    await watchOtterland()
    await fetchOtterland(day(1))
    serve(list('lucky-otter.example', 'red-fox.example'), '"v2"')
    expect(await fetchOtterland(day(2))).toMatchObject({ status: 'applied', fetch: 'fetched', added: 1 })
    expect(await fetchOtterland(day(3))).toMatchObject({ status: 'unchanged', fetch: 'not_modified' })
  })

  test('a watched register is downloaded if another snapshot was applied since the last fetch', async () => {
    serve(list('lucky-otter.example'), '"v1"')
    await watchOtterland()
    await fetchOtterland(day(1))
    const byHand = fileOfBytes('by-hand.txt', list('lucky-otter.example', 'red-fox.example'))
    const synced = await syncRegister(testWorld.world, otterland, [byHand], { takenAt: day(2), now: day(2) })
    expect(synced.status).toBe('applied')
    const report = await fetchOtterland(day(3))
    expect(server.requests.at(-1)?.headers).not.toHaveProperty('if-none-match')
    expect(report.fetch).toBe('fetched')
  })

  test('a watched register is downloaded again after its parser has changed', async () => {
    serve(list('lucky-otter.example'), '"v1"')
    await watchOtterland()
    await fetchOtterland(day(1))
    const newer = { ...otterland, parserVersion: 2 }
    const urls = [`${server.url}/list.txt`]
    const report = await fetchRegister(testWorld.world, newer, {
      urls,
      now: day(2),
      network: networkAllowing(server.host),
    })
    expect(report.fetch).toBe('fetched')
  })

  test('a watched register can be fetched once from other addresses, and the watch stays', async () => {
    serve(list('lucky-otter.example'), '"v1"')
    serve(list('lucky-otter.example'), '"v1"', '/mirror.txt')
    await watchOtterland()
    await fetchOtterland(day(1))
    const report = await fetchOtterland(day(2), { urls: [`${server.url}/mirror.txt`] })
    expect(report).toMatchObject({ status: 'unchanged', fetch: 'fetched' })
    expect(await streamRow()).toMatchObject({ watched_at: day(1) })
  })

  test('all files of a watched register are downloaded as soon as one file has changed', async () => {
    const several = {
      ...otterland,
      async *read(files: Parameters<typeof otterland.read>[0]) {
        for (const file of files) yield* readBlocklist([file])
      },
    }
    serve(list('lucky-otter.example'), '"a1"', '/a.txt')
    serve(list('golden-heron.example'), '"b1"', '/b.txt')
    const { urls } = await watchOtterland('/a.txt', '/b.txt')
    const fetchBoth = (now: Date) =>
      fetchRegister(testWorld.world, several, { urls, now, network: networkAllowing(server.host) })
    expect(await fetchBoth(day(1))).toMatchObject({ status: 'applied', added: 2 })
    expect(await fetchBoth(day(2))).toMatchObject({ status: 'unchanged', fetch: 'not_modified' })
    serve(list('golden-heron.example', 'red-fox.example'), '"b2"', '/b.txt')
    server.requests.length = 0
    expect(await fetchBoth(day(3))).toMatchObject({ status: 'applied', added: 1, removed: 0 })
    expect(server.requests.map(({ path, headers }) => [path, headers['if-none-match']])).toEqual([
      ['/a.txt', '"a1"'],
      ['/b.txt', '"b1"'],
      ['/a.txt', undefined],
    ])
    expect(await fetchBoth(day(4))).toMatchObject({ status: 'unchanged', fetch: 'not_modified' })
  })

  test('the consecutive failures of a watched register are counted until the next success', async () => {
    await watchOtterland()
    server.answer('/list.txt', response => response.writeHead(500).end())
    await fetchOtterland(day(1))
    await fetchOtterland(day(2))
    expect(await streamRow()).toMatchObject({ watch_failures: 2, watched_at: day(2) })
    serve('<html></html>', '"v0"')
    await fetchOtterland(day(3))
    expect(await streamRow()).toMatchObject({ watch_failures: 3, watched_at: day(3) })
    serve(list('lucky-otter.example'), '"v1"')
    await fetchOtterland(day(4))
    expect(await streamRow()).toMatchObject({ watch_failures: 0, watched_at: day(4) })
  })

  test('a watched register is downloaded again while a correction of it is quarantined', async () => {
    const hosts = Array.from({ length: 40 }, (_, number) => `otter-${number}.example`)
    serve(list(...hosts), '"v1"')
    await watchOtterland()
    await fetchOtterland(day(1))
    const losing: Stream = {
      ...otterland,
      parserVersion: 2,
      async *read(files) {
        for await (const reading of readBlocklist(files))
          if (reading.record !== 'blocklist_entry' || !/-[0-9]?[13579]\./.test(reading.published))
            yield reading
      },
    }
    serve(list(...hosts, 'new-2.example'), '"v2"')
    const urls = [`${server.url}/list.txt`]
    const fetchLosing = (now: Date) =>
      fetchRegister(testWorld.world, losing, { urls, now, network: networkAllowing(server.host) })
    const quarantined = await fetchLosing(day(2))
    expect(quarantined).toMatchObject({
      status: 'held',
      reasons: expect.arrayContaining([expect.stringContaining("last snapshot's files, read again")]),
    })
    await approveSnapshot(testWorld.world, {
      snapshotRef: quarantined.snapshot_ref as string,
      reason: 'confirmed',
      findStream: async () => losing,
      now: day(3),
    })
    expect(await fetchLosing(day(4))).toMatchObject({ status: 'applied', fetch: 'fetched', added: 1 })
    expect(await testWorld.verdictOf('new-2.example')).toContain('blocklisted')
  })

  test('a watched register with a quarantined snapshot is downloaded until it is approved', async () => {
    const hosts = Array.from({ length: 300 }, (_, number) => `otter-${number}.example`)
    serve(list(...hosts), '"v1"')
    await watchOtterland()
    await fetchOtterland(day(1))
    const few = ['red-fox.example', ...hosts.slice(0, 20)]
    serve(list(...few), '"v2"')
    const quarantined = await fetchOtterland(day(2))
    expect(quarantined).toMatchObject({ status: 'held', fetch: 'fetched', try_again: false })
    expect(await fetchOtterland(day(3))).toMatchObject({ status: 'held', fetch: 'fetched' })
    expect(server.requests.at(-1)?.headers).not.toHaveProperty('if-none-match')
    const ref = quarantined.snapshot_ref as string
    const approved = await approveSnapshot(testWorld.world, {
      snapshotRef: ref,
      reason: 'Confirmed by the regulator.',
      findStream: async () => otterland,
      now: day(4),
    })
    expect(approved.status).toBe('applied')
    expect(await fetchOtterland(day(5))).toMatchObject({ status: 'unchanged', fetch: 'not_modified' })
  })
})

describe('register watches', () => {
  const dueAt = async (now: Date) => (await listDueWatches(testWorld.world, now)).map(each => each.stream)

  test('a watch has the cadence of the source, unless an interval is given', async () => {
    expect(await watchOtterland()).toMatchObject({
      stream: 'otterland.blocklist',
      everyMinutes: 1_440,
      failures: 0,
    })
    const urls = [`${server.url}/list.txt`]
    const often = await watchRegister(testWorld.world, otterland, {
      urls,
      everyMinutes: 60,
      allowedHosts: [server.host],
    })
    expect(often).toMatchObject({ everyMinutes: 60, urls })
  })

  test('a new watch makes a stream due at once, and again after its interval', async () => {
    serve(list('lucky-otter.example'), '"v1"')
    expect(await dueAt(hour(0))).toEqual([])
    await watchOtterland()
    expect(await dueAt(hour(0))).toEqual(['otterland.blocklist'])
    await fetchOtterland(hour(0))
    expect(await dueAt(hour(23))).toEqual([])
    expect(await dueAt(hour(24))).toEqual(['otterland.blocklist'])
  })

  test('a watched stream that was never synced is shown as never checked', async () => {
    await watchOtterland()
    expect(await streamRow()).toMatchObject({ snapshot_number: 0, last_taken_at: null })
  })

  test('a stream whose watched address changes is due at once, and downloaded in full', async () => {
    serve(list('lucky-otter.example'), '"v1"')
    await watchOtterland()
    await fetchOtterland(hour(0))
    await watchOtterland('/new.txt')
    expect(await dueAt(hour(0))).toEqual(['otterland.blocklist'])
    expect(await streamRow()).toMatchObject({ watch_etag: null, watch_snapshot_id: null, watched_at: null })
  })

  test('ending a watch leaves the stored data of the stream', async () => {
    serve(list('lucky-otter.example'), '"v1"')
    await watchOtterland()
    await fetchOtterland(hour(0))
    expect(await unwatchRegister(testWorld.world, otterland)).toBe(true)
    expect(await unwatchRegister(testWorld.world, otterland)).toBe(false)
    expect(await dueAt(hour(99))).toEqual([])
    expect(await testWorld.verdictOf('lucky-otter.example')).toContain('blocklisted')
  })

  test.each([
    [['ftp://lists.example/list.txt'], undefined, 'must be http or https'],
    [['http://user:letmein@lists.example/'], undefined, 'must not contain a user name'],
    [['http://192.168.0.1/list.txt'], undefined, 'not a public address'],
    [['list.txt'], undefined, 'the URL is not valid'],
    [[], undefined, '1 to 16 addresses'],
    [['http://lists.example/a', 'http://LISTS.example:80/a'], undefined, 'must be distinct'],
    [['http://lists.example/a'], 0, 'minutes from 5 to 44640'],
    [['http://lists.example/a'], 7.5, 'whole number of minutes'],
  ])('watching %j every %s minutes is refused', async (urls, everyMinutes, words) => {
    const watched = watchRegister(testWorld.world, otterland, { urls, everyMinutes, allowedHosts: [] })
    await expect(watched).rejects.toThrow(words)
    expect(await testWorld.rowsOf('register_streams')).toEqual([])
  })
})
