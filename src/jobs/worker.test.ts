import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { withClient } from '../../test/harness/client.ts'
import { createTestDatabase, type TestDatabase } from '../../test/harness/database.ts'
import { eventually } from '../../test/harness/eventually.ts'
import { createLogger } from '../config/logger.ts'
import { openWorld, type World } from '../database/open.ts'
import { addJob, countJobs, freeAbandonedJobs, type ListedJob, listJobs } from './jobs-store.ts'
import { GiveUp, type JobOutcome, type Task, type TaskContext } from './task.ts'
import { startWorker, type Worker, type WorkerOptions } from './worker.ts'

let database: TestDatabase
let world: World
let workers: Worker[] = []
let outcomes: [string, JobOutcome][] = []
/** What the task `work` does next, and what it was given. */
let work: (payload: Payload, context: TaskContext) => Promise<void>
let given: Payload[] = []

type Payload = { name: string }

const task: Task<Payload> = {
  name: 'work',
  attemptsMax: 3,
  retryAfterMs: 3_600_000,
  run: (payload, context) => {
    given.push(payload)
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
  given = []
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

/** A job that runs until it is let go. */
function held() {
  let letGo = () => {}
  const until = new Promise<void>(settle => {
    letGo = settle
  })
  return { until, letGo: () => letGo() }
}

test('before any worker ran, there are no jobs, and asking for them is no fault', async () => {
  expect(await listJobs(world.database)).toEqual([])
  expect(await countJobs(world.database)).toEqual([])
})

describe('a job', () => {
  test('is done once, by one of the workers that start at the same time', async () => {
    await Promise.all([start(), start()])
    await add('otter')
    await isDone('otter')
    expect(given).toEqual([{ name: 'otter' }])
    expect(outcomes).toEqual([['work', 'done']])
  })

  test('of a key is not added while one waits or runs', async () => {
    const hold = held()
    work = () => hold.until
    await start()
    expect(await add('otter')).toEqual({ isNew: true })
    await isListedAs('otter', 'running')
    expect(await add('otter')).toEqual({ isNew: false })
    hold.letGo()
    await isDone('otter')
    expect(given).toHaveLength(1)
    expect(await add('otter')).toEqual({ isNew: true })
  })

  test('added in a transaction that is rolled back never was', async () => {
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
    expect(given).toEqual([{ name: 'otter' }])
  })
})

describe('a job that fails', () => {
  test('is tried again after a pause around the one of its task, and tells why', async () => {
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
    const pauseMs = (job.next_at as Date).getTime() - before
    expect(pauseMs).toBeGreaterThan(task.retryAfterMs * 0.49)
    expect(pauseMs).toBeLessThan(task.retryAfterMs * 1.6)
    expect(outcomes).toEqual([['work', 'retried']])
  })

  test('at its last attempt stands as failed, first in the list, and is counted', async () => {
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

  test('and says that trying again is of no use, is not tried again', async () => {
    work = async () => {
      throw new GiveUp('there is no such stream')
    }
    await start()
    await add('otter')
    expect(await isListedAs('otter', 'failed')).toMatchObject({
      last_error: 'there is no such stream',
      next_at: null,
    })
    expect(outcomes).toEqual([['work', 'failed']])
  })

  test('for good makes room for the next of its key', async () => {
    work = async () => {
      throw new GiveUp('no')
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

describe('a worker that stops', () => {
  test('lets the running job finish', async () => {
    const hold = held()
    let finished = false
    work = async () => {
      await hold.until
      finished = true
    }
    const worker = await start()
    await add('otter')
    await isListedAs('otter', 'running')
    const stopped = worker.stop()
    hold.letGo()
    await stopped
    expect(finished).toBe(true)
    expect(await listJobs(world.database)).toEqual([])
  })

  test('hands back a job that breaks off when it is told to, as if it had not been begun', async () => {
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

  test('cuts off and hands back a job that does not heed it, in the middle of its transaction', async () => {
    await sql`create table if not exists written (name text)`.execute(world.database)
    const hold = held()
    const begun = held()
    let failure: unknown = null
    work = async (_payload, context) => {
      await context.world.database
        .transaction()
        .execute(async tx => {
          await sql`insert into written values ('otter')`.execute(tx)
          begun.letGo()
          await hold.until
          await sql`insert into written values ('heron')`.execute(tx)
        })
        .catch(error => {
          failure = error
          throw error
        })
    }
    const worker = await start({ finishWithinMs: 10, breakOffWithinMs: 10 })
    await add('otter')
    await begun.until
    const stopped = worker.stop()
    await eventually('the transaction is gone', async () => {
      const { rows } = await sql`
        select from pg_stat_activity
         where datname = current_database() and state = 'idle in transaction'`.execute(world.database)
      return rows.length === 0
    })
    hold.letGo()
    await stopped
    expect(failure).toBeInstanceOf(Error)
    expect((await sql`select from written`.execute(world.database)).rows).toEqual([])
    expect(await listJobs(world.database)).toMatchObject([
      { key: 'work otter', state: 'waiting', attempts: 0 },
    ])
  })
})

describe('jobs of a worker that was killed', () => {
  /** As a process leaves it that is killed at this moment. */
  const abandon = (attempts: number) =>
    sql`
      update graphile_worker._private_jobs
         set locked_by = 'pool-of-the-dead', locked_at = now(), attempts = ${attempts}`.execute(
      world.database,
    )
  /** More than one attempt: at a full minute the crontab does the same, and one of two may lose. */
  const tend = () => add('tend', { task: 'tend_jobs', attemptsMax: 3 })
  const stateOf = async (name: string) =>
    (await listJobs(world.database)).find(job => job.key === `work ${name}`)?.state

  test('are done by the next as soon as it starts', async () => {
    await (await start()).stop()
    await add('otter')
    await abandon(1)
    expect(await stateOf('otter')).toBe('running')
    await start()
    await isDone('otter')
    expect(given).toEqual([{ name: 'otter' }])
  })

  test('are done by one that lives already, when it next looks', async () => {
    const hold = held()
    work = () => hold.until
    await start()
    await add('heron')
    await isListedAs('heron', 'running')
    await add('otter', { task: 'nobody_knows' })
    await sql`
      update graphile_worker._private_jobs
         set locked_by = 'pool-of-the-dead', locked_at = now()
       where key = 'work otter'`.execute(world.database)
    await tend()
    await isListedAs('otter', 'waiting')
    hold.letGo()
  })

  test('stand as failed if it was their last attempt: they may be what killed it', async () => {
    await (await start()).stop()
    await add('otter')
    await abandon(3)
    await start()
    expect(await isListedAs('otter', 'failed')).toMatchObject({
      last_error: 'the worker ended in the middle of it',
    })
    expect(given).toEqual([])
  })

  test('are told from those of one that lives, by any number that start beside it and look', async () => {
    const hold = held()
    work = () => hold.until
    await start()
    await add('otter')
    await isListedAs('otter', 'running')
    await Promise.all([start(), start()])
    expect(await stateOf('otter')).toBe('running')
    await tend()
    await isDone('tend')
    expect(await stateOf('otter')).toBe('running')
    hold.letGo()
    await isDone('otter')
    expect(given).toHaveLength(1)
  })

  test('are told from those of one that has just started, by whoever looks as soon as its first job runs', async () => {
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
    expect(given).toHaveLength(3)
  })
})

test('a worker survives the loss of all its connections, and works on', async () => {
  const hold = held()
  work = () => hold.until
  await start()
  await add('otter')
  await isListedAs('otter', 'running')
  await withClient(database.connection, client =>
    client.query(
      `select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and pid <> pg_backend_pid()`,
    ),
  )
  // The connections of this test are lost as well; as many asked at once as it may have.
  await eventually('this test has connections again', () =>
    Promise.all(Array.from({ length: 16 }, () => listJobs(world.database))).then(
      () => true,
      () => false,
    ),
  )
  hold.letGo()
  await isDone('otter')
  await add('heron')
  await isDone('heron')
  expect(given).toEqual([{ name: 'otter' }, { name: 'heron' }])
})
