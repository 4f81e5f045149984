import type { NetworkSettings } from '@baize/outbound'
import type { Stream } from '@baize/registers'
import { readBlocklist } from '@baize/registers/test/described'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import {
  fileAnswer,
  networkAllowing,
  startTestServer,
  type TestServer,
} from '../../../packages/outbound/fixture.ts'
import { createTestDatabase, type TestDatabase } from '../../../test/harness/database.ts'
import { eventually } from '../../../test/harness/eventually.ts'
import { createLogger } from '../../config/logger.ts'
import { openWorld, type World } from '../../database/open.ts'
import { addJob, listJobs, startWorker, type Worker } from '../../jobs/index.ts'
import { probeRegister } from '../../registers/acquire/probe-register.ts'
import { readProbes } from '../../registers/acquire/probes-store.ts'
import { listWatches, unwatchRegister, watchRegister } from '../../registers/acquire/watch-register.ts'
import { day, fakeStream } from '../../registers/fixture.ts'
import { registerHistory } from '../../registers/register-history.ts'
import { registerTasks } from './register-tasks.ts'

let database: TestDatabase
let world: World
let server: TestServer
let worker: Worker
let now = day(1)

let otterland: Stream
let heronia: Stream
let streams: Stream[]
let network: NetworkSettings

beforeAll(async () => {
  database = await createTestDatabase()
  world = openWorld('public', { connection: database.connection })
  server = await startTestServer()
  network = networkAllowing(server.host)
  const blocklist = (key: string, files: Stream['official']['files']) => {
    const fake = fakeStream(key, { covers: ['blocklist'], read: readBlocklist })
    return { ...fake, official: { ...fake.official, files } }
  }
  otterland = blocklist('otterland.blocklist', [
    { url: `${server.url}/lists`, resolve: { by: 'newest_link', href: '\\.txt$' } },
  ])
  heronia = blocklist('heronia.blocklist', [])
  streams = [otterland, heronia]
  const tasks = registerTasks({
    findStream: (_world, key) => streams.find(stream => stream.key === key),
    network,
    now: () => now,
    spreadMsMax: 0,
  })
  worker = await startWorker({ connection: database.connection, tasks, log: createLogger('silent') })
})
afterEach(async () => {
  for (const stream of streams) await unwatchRegister(world, stream)
  await sql`delete from graphile_worker._private_jobs`.execute(world.database)
  server.requests.length = 0
})
afterAll(async () => {
  await worker.stop()
  await server.close()
  await world.close()
  await database.drop()
})

async function aMinuteBegins(): Promise<void> {
  const job = { task: 'watch_registers', payload: {}, key: 'a minute', attemptsMax: 1, delayMs: 0 }
  await addJob(world.database, job)
  await eventually('the minute is over', async () =>
    (await listJobs(world.database)).every(each => each.key !== job.key),
  )
}

const watch = (stream = otterland, path = '/otterland.txt') =>
  watchRegister(world, stream, { urls: [`${server.url}${path}`], allowedHosts: [server.host] })

const noJobsLeft = () =>
  eventually('no job is left', async () => (await listJobs(world.database)).length === 0)

const isListedAs = (state: string) =>
  eventually(`the job is listed as ${state}`, async () =>
    (await listJobs(world.database)).find(
      job => job.key === 'fetch_register otterland.blocklist' && job.state === state,
    ),
  )

const statuses = async () => (await registerHistory(world, 'otterland.blocklist')).map(run => run.status)

const verdictOf = async (domain: string) => {
  const { rows } = await sql<{
    verdict: string
  }>`select verdict from domains where domain = ${domain}`.execute(world.database)
  return rows[0]?.verdict
}

describe('the worker for registers (these tests run in order)', () => {
  test('the worker fetches and applies each watched register when it is due, and no other one', async () => {
    server.answer('/otterland.txt', fileAnswer('lucky-otter.example\ngolden-heron.example\n', '"v1"'))
    server.answer('/heronia.txt', fileAnswer('red-fox.example\n', '"v1"'))
    await aMinuteBegins()
    expect(server.requests).toEqual([])
    await watch()
    await aMinuteBegins()
    await noJobsLeft()
    expect(await verdictOf('lucky-otter.example')).toBe('blocklisted')
    expect(await verdictOf('red-fox.example')).toBeUndefined()
    expect(server.requests.map(asked => asked.path)).toEqual(['/otterland.txt'])
    expect(await statuses()).toEqual(['applied'])
  })

  test('the worker fetches a register again when it is due again, and not before', async () => {
    await watch()
    now = day(2)
    await aMinuteBegins()
    await noJobsLeft()
    expect(server.requests).toHaveLength(1)
    now = new Date(day(3).getTime() - 60_000)
    await aMinuteBegins()
    await noJobsLeft()
    expect(server.requests).toHaveLength(1)
    now = day(3)
    await aMinuteBegins()
    await noJobsLeft()
    expect(server.requests).toHaveLength(2)
    expect(await statuses()).toEqual(['unchanged', 'unchanged', 'applied'])
    expect(await listWatches(world)).toMatchObject([
      { stream: 'otterland.blocklist', watchedAt: day(3), failures: 0 },
    ])
  })

  test('the worker sends one request to a source that takes several minutes to answer', async () => {
    now = day(4)
    let answer = () => {}
    server.answer('/otterland.txt', response => {
      answer = () => response.end('lucky-otter.example\ngolden-heron.example\n')
    })
    await watch()
    await aMinuteBegins()
    await eventually('the source is asked', () => server.requests.length === 1)
    await aMinuteBegins()
    await aMinuteBegins()
    answer()
    await noJobsLeft()
    expect(server.requests).toHaveLength(1)
  })

  test('the worker reports an unreachable source and tries again later, and no fact changes', async () => {
    now = day(5)
    server.answer('/otterland.txt', response => response.writeHead(503).end())
    await watch()
    await aMinuteBegins()
    const job = await isListedAs('retrying')
    const reason = expect.stringMatching(
      /\/otterland\.txt responded with status 503\. The site is overloaded/,
    )
    expect(job).toMatchObject({ attempts: 1, attempts_max: 6, last_error: reason })
    expect(await statuses()).toMatchObject({ 0: 'refused' })
    expect(await listWatches(world)).toMatchObject([{ failures: 1 }])
    expect(await verdictOf('lucky-otter.example')).toBe('blocklisted')
    await aMinuteBegins() // The next minute adds no second job.
    expect(await listJobs(world.database)).toHaveLength(1)
  })

  test('the worker does not retry a fetch that cannot succeed, and reports its failure', async () => {
    now = day(6)
    server.answer('/otterland.txt', response =>
      response.writeHead(301, { location: 'http://10.0.0.1/' }).end(),
    )
    await watch()
    await aMinuteBegins()
    expect(await isListedAs('failed')).toMatchObject({
      next_at: null,
      last_error: 'http://10.0.0.1/ is not a public address',
    })
    server.answer('/otterland.txt', fileAnswer('lucky-otter.example\ngolden-heron.example\n', '"v2"'))
    now = day(7)
    await aMinuteBegins()
    await noJobsLeft()
    expect(await listWatches(world)).toMatchObject([{ failures: 0, watchedAt: day(7) }])
  })

  test('the worker does not fetch an unwatched register, nor a stream that no longer exists', async () => {
    const job = { task: 'fetch_register', attemptsMax: 6, delayMs: 0 }
    await addJob(world.database, { ...job, key: 'unwatched', payload: { stream: 'heronia.blocklist' } })
    await noJobsLeft()
    const vanished = fakeStream('gone.blocklist')
    await watchRegister(world, vanished, { urls: [`${server.url}/gone`], allowedHosts: [server.host] })
    await addJob(world.database, { ...job, key: 'gone', payload: { stream: 'gone.blocklist' } })
    // A minute that begins during the test queues the job again, with another key.
    const gone = async () => (await listJobs(world.database)).find(({ key }) => key === 'gone')
    await eventually('it has failed', async () => (await gone())?.state === 'failed')
    expect(await gone()).toMatchObject({ last_error: 'stream gone.blocklist no longer exists' })
    await unwatchRegister(world, vanished)
    expect(server.requests).toEqual([])
  })

  test('the worker looks for the current file of an official watch once a night', async () => {
    const night = (number: number) => new Date(day(number).getTime() + 5 * 3_600_000)
    now = night(20)
    const list = (path: string) => {
      server.answer('/lists', response => response.end(`<a href="${path}">List</a>`))
      server.answer(path, fileAnswer('lucky-otter.example\ngolden-heron.example\n', '"list"'))
    }
    list('/october.txt')
    await watchRegister(world, otterland, { allowedHosts: [server.host] })
    await aMinuteBegins()
    await noJobsLeft()
    list('/november.txt')
    now = new Date(night(20).getTime() + 15 * 3_600_000)
    await aMinuteBegins()
    await noJobsLeft()
    now = night(21)
    await aMinuteBegins()
    await noJobsLeft()
    expect(server.requests.map(asked => asked.path)).toEqual([
      '/lists',
      '/october.txt',
      '/lists',
      '/november.txt',
    ])
  })

  test('the worker probes each night the streams that an operator has probed and not watched', async () => {
    const night = (number: number) => new Date(day(number).getTime() + 5 * 3_600_000)
    const probedAt = async () =>
      (await readProbes(world.database)).map(({ stream, probed_at }) => [stream, probed_at])
    now = night(25)
    for (const stream of streams) await probeRegister(world, stream, { network, now })
    await watchRegister(world, otterland, { allowedHosts: [server.host] })
    await addJob(world.database, {
      task: 'fetch_register',
      key: 'tonight',
      attemptsMax: 1,
      delayMs: 0,
      payload: { stream: 'otterland.blocklist' },
    })
    await noJobsLeft()
    now = night(26)
    await aMinuteBegins()
    await noJobsLeft()
    expect(await probedAt()).toEqual([
      ['heronia.blocklist', night(26)],
      ['otterland.blocklist', night(26)],
    ])
    const probes = (await readProbes(world.database)).find(each => each.stream === 'heronia.blocklist')
    expect(probes?.reasons).toEqual([expect.stringContaining('is not known')])
    await unwatchRegister(world, heronia)
    now = night(27)
    await aMinuteBegins()
    await noJobsLeft()
    expect((await probedAt())[0]).toEqual(['heronia.blocklist', night(26)])
  })
})
