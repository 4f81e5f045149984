import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { withClient } from '../../test/harness/client.ts'
import { createTestDatabase, type TestDatabase } from '../../test/harness/database.ts'
import { eventually } from '../../test/harness/eventually.ts'
import { createLogger } from '../config/logger.ts'
import { openWorld, type World } from '../database/open.ts'
import { addJob, countJobs, freeAbandonedJobs, type ListedJob, listJobs } from './jobs-store.ts'
import { type JobOutcome, PermanentFailure, type Task, type TaskContext } from './task.ts'
import { startWorker, type Worker, type WorkerOptions } from './worker.ts'

let database: TestDatabase
let world: World
let workers: Worker[] = []
let outcomes: [string, JobOutcome][] = []
let work: (payload: Payload, context: TaskContext) => Promise<void>
let payloads: Payload[] = []

type Payload = { name: string }

const task: Task<Payload> = {
  name: 'work',
  attemptsMax: 3,
  retryAfterMs: 3_600_000,
  run: (payload, context) => {
    payloads.push(payload)
    return work(payload, context)
  },
}

beforeAll(async () => {
  database = await createTestDatabase()
  world = openWorld('public', { connection: database.connection })
})
beforeEach(() => {
  workers = []
  outcomes = []
  payloads = []
  work = async () => {}
})
afterEach(async () => {
  await Promise.all(workers.map(worker => worker.stop()))
  if (workers.length > 0) await sql`delete from graphile_worker._private_jobs`.execute(world.database)
})
afterAll(async () => {
  await world.close()
  await database.drop()
})

async function start(options: Partial<WorkerOptions> = {}): Promise<Worker> {
  const worker = await startWorker({
    connection: database.connection,
    tasks: [task],
    log: createLogger('silent'),
    onOutcome: (name, outcome) => outcomes.push([name, outcome]),
    ...options,
  })
  workers.push(worker)
  return worker
}

const add = (name: string, options: { attemptsMax?: number; task?: string } = {}) =>
  addJob(world.database, {
    task: options.task ?? 'work',
    payload: { name },
    key: `work ${name}`,
    attemptsMax: options.attemptsMax ?? task.attemptsMax,
    delayMs: 0,
  })

const isDone = (name: string) =>
  eventually(`${name} is done`, async () =>
    (await listJobs(world.database)).every(job => job.key !== `work ${name}`),
  )

const isListedAs = (name: string, state: string) =>
  eventually(`${name} is listed as ${state}`, async () =>
    (await listJobs(world.database)).find(job => job.key === `work ${name}` && job.state === state),
  )

function gate() {
  const { promise: opened, resolve: open } = Promise.withResolvers<void>()
  return { opened, open }
}

test('the list of jobs is empty before the first worker has run', async () => {
  expect(await listJobs(world.database)).toEqual([])
  expect(await countJobs(world.database)).toEqual([])
})

describe('a queued job', () => {
  test('a job runs once, even if several workers start at the same time', async () => {
    await Promise.all([start(), start()])
    await add('otter')
    await isDone('otter')
    expect(payloads).toEqual([{ name: 'otter' }])
    expect(outcomes).toEqual([['work', 'done']])
  })

  test('a job is not added while another job with the same key waits or runs', async () => {
    const finish = gate()
    work = () => finish.opened
    await start()
    expect(await add('otter')).toEqual({ isNew: true })
    await isListedAs('otter', 'running')
    expect(await add('otter')).toEqual({ isNew: false })
    finish.open()
    await isDone('otter')
    expect(payloads).toHaveLength(1)
    expect(await add('otter')).toEqual({ isNew: true })
  })

  test('a job added in a transaction that rolls back never runs', async () => {
    await start()
    await world.database
      .transaction()
      .execute(async tx => {
        const job = {
          task: 'work',
          payload: { name: 'heron' },
          key: 'work heron',
          attemptsMax: 1,
          delayMs: 0,
        }
        await addJob(tx, job)
        throw new Error('no')
      })
      .catch(() => {})
    await add('otter')
    await isDone('otter')
    expect(payloads).toEqual([{ name: 'otter' }])
  })
})

describe('a failing job', () => {
  test('a failed job is retried after about the pause of its task, and listed with its error', async () => {
    work = async () => {
      throw new Error('the source is away\0')
    }
    await start()
    const before = Date.now()
    await add('otter')
    const job = (await isListedAs('otter', 'retrying')) as ListedJob
    expect(job).toMatchObject({
      task: 'work',
      attempts: 1,
      attempts_max: 3,
      last_error: 'the source is away',
    })
    const nextAt = (job.next_at as Date).getTime()
    expect(nextAt - before).toBeGreaterThan(task.retryAfterMs * 0.49)
    expect(nextAt - Date.now()).toBeLessThan(task.retryAfterMs * 1.5)
    expect(outcomes).toEqual([['work', 'retried']])
  })

  test('a job that fails at its last attempt is listed first, as failed, and counted as failed', async () => {
    work = async () => {
      throw new Error('poison')
    }
    await start()
    await add('otter', { attemptsMax: 1 })
    await isListedAs('otter', 'failed')
    work = async () => {
      throw new Error('later')
    }
    await add('heron')
    await isListedAs('heron', 'retrying')
    expect(await listJobs(world.database)).toMatchObject([
      { key: 'work otter', state: 'failed', attempts: 1, next_at: null, last_error: 'poison' },
      { key: 'work heron', state: 'retrying' },
    ])
    expect(await countJobs(world.database)).toEqual(
      expect.arrayContaining([
        { task: 'work', state: 'failed', jobs: 1 },
        { task: 'work', state: 'retrying', jobs: 1 },
      ]),
    )
    expect(outcomes).toEqual([
      ['work', 'failed'],
      ['work', 'retried'],
    ])
  })

  test('a job that fails with PermanentFailure is not retried', async () => {
    work = async () => {
      throw new PermanentFailure('there is no such stream')
    }
    await start()
    await add('otter')
    expect(await isListedAs('otter', 'failed')).toMatchObject({
      last_error: 'there is no such stream',
      next_at: null,
    })
    expect(outcomes).toEqual([['work', 'failed']])
  })

  test('a job that failed permanently is replaced by the next job with its key', async () => {
    work = async () => {
      throw new PermanentFailure('no')
    }
    await start()
    await add('otter')
    await isListedAs('otter', 'failed')
    work = async () => {}
    expect(await add('otter')).toEqual({ isNew: true })
    await isDone('otter')
    expect(outcomes.map(([, outcome]) => outcome)).toEqual(['failed', 'done'])
  })
})

describe('a stopping worker', () => {
  test('a stopping worker lets a running job finish', async () => {
    const finish = gate()
    let finished = false
    work = async () => {
      await finish.opened
      finished = true
    }
    const worker = await start()
    await add('otter')
    await isListedAs('otter', 'running')
    const stopped = worker.stop()
    finish.open()
    await stopped
    expect(finished).toBe(true)
    expect(await listJobs(world.database)).toEqual([])
  })

  test('a job that ends at its abort signal is queued again, and the attempt does not count', async () => {
    work = (_payload, { signal }) =>
      new Promise((_settle, fail) => signal.addEventListener('abort', () => fail(new Error('stopped'))))
    const worker = await start({ finishWithinMs: 20 })
    await add('otter')
    await isListedAs('otter', 'running')
    await worker.stop()
    expect(await listJobs(world.database)).toMatchObject([
      { key: 'work otter', state: 'waiting', attempts: 0 },
    ])
    expect(outcomes).toEqual([['work', 'handed_back']])
  })

  test('a worker that stops also interrupts a job that ignores its signal, and queues it again', async () => {
    await sql`create table if not exists written (name text)`.execute(world.database)
    const finish = gate()
    const begun = gate()
    let failure: unknown = null
    work = async (_payload, context) => {
      await context.world.database
        .transaction()
        .execute(async tx => {
          await sql`insert into written values ('otter')`.execute(tx)
          begun.open()
          await finish.opened
          await sql`insert into written values ('heron')`.execute(tx)
        })
        .catch(error => {
          failure = error
          throw error
        })
    }
    const worker = await start({ finishWithinMs: 10, abortWithinMs: 10 })
    await add('otter')
    await begun.opened
    const stopped = worker.stop()
    await eventually('the transaction has ended', async () => {
      const { rows } = await sql`
        select from pg_stat_activity
         where datname = current_database() and state = 'idle in transaction'`.execute(world.database)
      return rows.length === 0
    })
    finish.open()
    await stopped
    expect(failure).toBeInstanceOf(Error)
    expect((await sql`select from written`.execute(world.database)).rows).toEqual([])
    expect(await listJobs(world.database)).toMatchObject([
      { key: 'work otter', state: 'waiting', attempts: 0 },
    ])
  })
})

describe('jobs of a killed worker', () => {
  /** Leaves the state that a process killed at this point would leave. */
  const abandon = (attempts: number) =>
    sql`
      update graphile_worker._private_jobs
         set locked_by = 'pool-of-the-dead', locked_at = now(), attempts = ${attempts}`.execute(
      world.database,
    )
  /** The task may need several attempts, because the crontab runs it at each full minute as well. */
  const tend = () => add('tend', { task: 'tend_jobs', attemptsMax: 3 })
  const stateOf = async (name: string) =>
    (await listJobs(world.database)).find(job => job.key === `work ${name}`)?.state

  test('jobs of a killed worker run as soon as the next worker starts', async () => {
    await (await start()).stop()
    await add('otter')
    await abandon(1)
    expect(await stateOf('otter')).toBe('running')
    await start()
    await isDone('otter')
    expect(payloads).toEqual([{ name: 'otter' }])
  })

  test('jobs of a killed worker are unlocked by a running worker at its next check', async () => {
    const finish = gate()
    work = () => finish.opened
    await start()
    await add('heron')
    await isListedAs('heron', 'running')
    await add('otter', { task: 'unknown_task' })
    await sql`
      update graphile_worker._private_jobs
         set locked_by = 'pool-of-the-dead', locked_at = now()
       where key = 'work otter'`.execute(world.database)
    await tend()
    await isListedAs('otter', 'waiting')
    finish.open()
  })

  test('a job is failed if its worker was killed at the last attempt', async () => {
    await (await start()).stop()
    await add('otter')
    await abandon(3)
    await start()
    expect(await isListedAs('otter', 'failed')).toMatchObject({
      last_error: 'the worker ended in the middle of it',
    })
    expect(payloads).toEqual([])
  })

  test('a job of a running worker keeps running, however many workers start', async () => {
    const finish = gate()
    work = () => finish.opened
    await start()
    await add('otter')
    await isListedAs('otter', 'running')
    await Promise.all([start(), start()])
    expect(await stateOf('otter')).toBe('running')
    await tend()
    await isDone('tend')
    expect(await stateOf('otter')).toBe('running')
    finish.open()
    await isDone('otter')
    expect(payloads).toHaveLength(1)
  })

  test('jobs of a worker that has just started are not mistaken for jobs of a killed worker', async () => {
    const gone: string[] = []
    work = async () => {
      gone.push(...(await freeAbandonedJobs(world.database, 'another worker')))
    }
    for (const name of ['otter', 'heron', 'gull']) {
      await add(name)
      const worker = await start()
      await isDone(name)
      await worker.stop()
    }
    expect(gone).toEqual([])
    expect(payloads).toHaveLength(3)
  })
})

test('each worker reports at its start, and a report that fails does not end it', async () => {
  const reported: string[] = []
  const report = (name: string) => () => Promise.reject(reported.push(name))
  for (const name of ['one', 'two']) await start({ report: report(name) })
  await eventually('both have reported', () => reported.toSorted().join() === 'one,two')
  await add('otter')
  await isDone('otter')
})

test('a worker survives the loss of all its connections', async () => {
  const finish = gate()
  work = () => finish.opened
  await start()
  await add('otter')
  await isListedAs('otter', 'running')
  await withClient(database.connection, client =>
    client.query(
      `select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and pid <> pg_backend_pid()`,
    ),
  )
  // The test's connections are lost as well. 16 queries at once replace each of them.
  await eventually('this test has connections again', () =>
    Promise.all(Array.from({ length: 16 }, () => listJobs(world.database))).then(
      () => true,
      () => false,
    ),
  )
  finish.open()
  await isDone('otter')
  await add('heron')
  await isDone('heron')
  expect(payloads).toEqual([{ name: 'otter' }, { name: 'heron' }])
})
