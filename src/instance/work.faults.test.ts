import { findRunning, type RunningInstance } from '@baize/data-directory'
import { findStream, type Stream } from '@baize/registers'
import { afterAll, afterEach, beforeAll, expect, onTestFinished, test } from 'vitest'
import { fileAnswer, startTestServer, type TestServer } from '../../packages/outbound/fixture.ts'
import { createTestDatabase } from '../../test/harness/database.ts'
import { createTestDirectory, type TestDirectory } from '../../test/harness/directory.ts'
import { eventually } from '../../test/harness/eventually.ts'
import { serversBelow } from '../../test/harness/processes.ts'
import {
  type Environment,
  freePort,
  type Instance,
  type Program,
  startInstance,
  startProgram,
} from '../../test/harness/program.ts'
import { openWorld, type World } from '../database/open.ts'
import { addJob, listJobs } from '../jobs/index.ts'
import { watchRegister } from '../registers/acquire/watch-register.ts'
import { registerHistory } from '../registers/register-history.ts'
import { connectionTo } from './directory/database.ts'

const sites = Array.from({ length: 100 }, (_, number) => `otter-${number}.example`)
const stream = findStream('us_michigan.sites') as Stream
const hasSignals = process.platform !== 'win32'

let directory: TestDirectory
let server: TestServer
let environment: Environment
let programs: Program[] = []

beforeAll(async () => {
  directory = await createTestDirectory()
  server = await startTestServer()
  server.answer('/sites.txt', fileAnswer(`${sites.join('\n')}\n`, '"v1"'))
  environment = { DATA_DIR: directory.path, OUTBOUND_ALLOW_HOSTS: server.host, LOG_LEVEL: 'info' }
})
afterEach(async () => {
  for (const program of programs) await program.kill()
  programs = []
  await eventually('no server is left', async () => (await serversBelow(directory.path)).length === 0)
})
afterAll(async () => {
  await server.close()
  await directory.remove()
})

async function startWork(more: Environment = {}): Promise<Program> {
  const program = startProgram('work' as 'serve', [], { ...environment, ...more })
  programs.push(program)
  await eventually('it waits for jobs', () => {
    if (program.stderr() !== '') throw new Error(program.stderr())
    return program.stdout().includes('waiting for jobs')
  })
  return program
}

async function start(): Promise<Instance> {
  const instance = await startInstance('start', environment)
  programs.push(instance)
  return instance
}

async function withWorld<Result>(use: (world: World) => Promise<Result>): Promise<Result> {
  const { database } = (await eventually('something runs there', () =>
    findRunning(directory.path),
  )) as RunningInstance
  const world = openWorld('public', { connection: connectionTo(database) })
  try {
    return await use(world)
  } finally {
    await world.close()
  }
}

/** Fetches at once, not at the beginning of the next minute. Returns the outcome of the run. */
const fetchFrom = (path: string) =>
  withWorld(async world => {
    await watchRegister(world, stream, { urls: [`${server.url}${path}`], allowedHosts: [server.host] })
    const runsBefore = (await registerHistory(world, stream.key)).length
    const key = `fetch_register ${stream.key}`
    const added = { task: 'fetch_register', payload: { stream: stream.key }, key, attemptsMax: 1, delayMs: 0 }
    await eventually('the queue is there', () =>
      addJob(world.database, added).then(
        () => true,
        () => false,
      ),
    )
    await eventually('the job has ended', async () => {
      const job = (await listJobs(world.database)).find(each => each.key === key)
      return job === undefined || job.state === 'failed'
    })
    const runs = await registerHistory(world, stream.key)
    expect(runs).toHaveLength(runsBefore + 1)
    return runs[0]?.status
  })

test('a worker without a service starts the database, and stops it at a signal', async () => {
  const { ended, signal } = await startWork()
  expect(await fetchFrom('/sites.txt')).toBe('applied')
  if (!hasSignals) return
  signal('SIGTERM')
  expect(await ended).toMatchObject({ code: 0, stderr: '' })
  expect(await findRunning(directory.path)).toBeNull()
  expect(await serversBelow(directory.path)).toEqual([])
})

test('a worker warns at its start that a failover may lose charges', async () => {
  const { connection, drop } = await createTestDatabase()
  onTestFinished(drop)
  const { user, database, host, port } = connection
  const url = `postgresql://${user}@localhost/${database}?host=${host}&port=${port}`
  const worker = await startWork({ DATABASE_URL: url })
  // The tests' server does not wait for its disk.
  expect(worker.stdout()).toMatch(
    /"level":"warn".*synchronous_commit is off or local, so a crash or a failover/,
  )
  await worker.kill()
})

test('a worker serves its metrics at METRICS_PORT', async () => {
  const port = await freePort()
  await startWork({ METRICS_PORT: String(port) })
  expect(await fetchFrom('/gone.txt')).toBe('refused')
  const metrics = await eventually('the attempt is counted', async () => {
    const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text()
    return text.includes('baize_job_attempts_total{task="fetch_register"') && text
  })
  expect(metrics).toContain('baize_job_attempts_total{task="fetch_register",outcome="failed"} 1\n')
  expect(metrics).toContain('baize_credits_charged_total')

  const second = startProgram('work' as 'serve', [], { ...environment, METRICS_PORT: String(port) })
  programs.push(second)
  expect(await second.ended).toMatchObject({
    code: 1,
    stderr:
      `METRICS_PORT=${port} on HOST=127.0.0.1: ` +
      'another program uses this port. Stop it, or set METRICS_PORT to another port.\n',
  })
})

test('npm start runs jobs beside another worker, and /metrics reports failed jobs', async () => {
  const instance = await start()
  expect(await fetchFrom('/sites.txt')).toBe('unchanged')
  expect(await fetchFrom('/gone.txt')).toBe('refused')
  const metrics = await (await fetch(`${instance.url}/metrics`)).text()
  expect(metrics).toContain('baize_jobs{task="fetch_register",state="failed"} 1\n')
  expect(metrics).toContain('baize_job_attempts_total{task="fetch_register",outcome="done"} 1\n')
  expect(metrics).toContain('baize_job_attempts_total{task="fetch_register",outcome="failed"} 1\n')
  expect(instance.stdout()).toContain('job failed; it is not tried again')

  const beside = await startWork()
  expect(await fetchFrom('/sites.txt')).toBe('unchanged')
  if (!hasSignals) return
  beside.signal('SIGTERM')
  expect(await beside.ended).toMatchObject({ code: 0, stderr: '' })
  expect((await fetch(`${instance.url}/readyz`)).status).toBe(200)
  instance.signal('SIGTERM')
  expect(await instance.ended).toMatchObject({ code: 0, stderr: '' })
})

test.skipIf(!hasSignals)(
  'SIGTERM interrupts a running fetch, and the next start repeats the fetch',
  async () => {
    let asked = 0
    server.answer('/slow.txt', response => {
      asked += 1
      if (asked > 1) response.end(`${sites.join('\n')}\n`)
      else response.writeHead(200).write(`${sites[0]}\n`)
    })
    const instance = await start()
    const fetched = withWorld(async world => {
      await watchRegister(world, stream, { urls: [`${server.url}/slow.txt`], allowedHosts: [server.host] })
      const job = { task: 'fetch_register', payload: { stream: stream.key }, attemptsMax: 1, delayMs: 0 }
      await eventually('the queue is there', () =>
        addJob(world.database, { ...job, key: `fetch_register ${stream.key}` }).then(
          () => true,
          () => false,
        ),
      )
      await eventually('the source is asked', () => asked === 1)
    })
    await fetched
    instance.signal('SIGTERM')
    expect(await instance.ended).toMatchObject({ code: 0, stderr: '' })

    await start()
    await withWorld(async world => {
      await eventually('the job is done', async () =>
        (await listJobs(world.database)).every(job => !job.key?.endsWith('.sites')),
      )
      expect((await registerHistory(world, stream.key))[0]).toMatchObject({
        status: 'unchanged',
        reasons: [],
      })
    })
    expect(asked).toBe(2)
  },
)

test('an invalid OUTBOUND_ALLOW_HOSTS stops the start with a message that names it', async () => {
  const program = startProgram('work' as 'serve', [], {
    ...environment,
    OUTBOUND_ALLOW_HOSTS: 'lists.internal',
  })
  programs.push(program)
  const { code, stderr } = await program.ended
  expect(code).toBe(1)
  expect(stderr).toMatch(/^OUTBOUND_ALLOW_HOSTS=lists\.internal is invalid: it must be .+\.\n$/)
})
