import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../test/harness/database.ts'
import { eventually } from '../../test/harness/eventually.ts'
import { createLogger } from '../config/logger.ts'
import { openWorld, type World } from '../database/open.ts'
import { addJob, type ListedJob, listJobs } from './jobs-store.ts'
import { type JobOutcome, Postpone, type Task } from './task.ts'
import { startWorker, type Worker } from './worker.ts'

let database: TestDatabase
let world: World
let worker: Worker
let outcomes: JobOutcome[] = []
let work: () => void = () => {}

/** This job fails like an export whose file store is unreachable. */
const task: Task = { name: 'work', attemptsMax: 8, retryAfterMs: 5_000, run: async () => work() }
/** Adding a job wakes the worker, which then runs all jobs that are due. */
const wake: Task = { name: 'wake', attemptsMax: 1, retryAfterMs: 0, run: async () => {} }

beforeAll(async () => {
  database = await createTestDatabase()
  world = openWorld('public', { connection: database.connection })
  worker = await startWorker({
    connection: database.connection,
    tasks: [task, wake],
    log: createLogger('silent'),
    onOutcome: (name, outcome) => name === task.name && outcomes.push(outcome),
  })
})
afterEach(async () => {
  outcomes = []
  await sql`delete from graphile_worker._private_jobs where key = 'otter'`.execute(world.database)
})
afterAll(async () => {
  await worker.stop()
  await world.close()
  await database.drop()
})

const job = async () => (await listJobs(world.database)).find(each => each.key === 'otter')

async function listedAfter(attempts: number): Promise<ListedJob> {
  const delayMs = 3_600_000
  await addJob(world.database, { task: task.name, payload: {}, key: 'otter', attemptsMax: 8, delayMs })
  await sql`
    select graphile_worker.reschedule_jobs(array[${(await job())?.job}]::bigint[], run_at := now(),
                                           attempts := ${attempts})`.execute(world.database)
  await addJob(world.database, { task: wake.name, payload: {}, key: wake.name, attemptsMax: 1, delayMs: 0 })
  await eventually('the attempt ended', async () => outcomes.length > 0 && (await job())?.state !== 'running')
  return (await job()) as ListedJob
}

const pauseSeconds = ({ next_at: next }: ListedJob, since: number) =>
  ((next as Date).getTime() - since) / 1_000

test.each([1, 4, 7])(
  'a failed job is retried after the pause that its task defines, at attempt %i of 8',
  async attempt => {
    work = () => {
      throw new Error('the store is away')
    }
    const since = Date.now()
    const listed = await listedAfter(attempt - 1)
    expect(listed).toMatchObject({ state: 'retrying', attempts: attempt, last_error: 'the store is away' })
    const doubled = 5 * 2 ** (attempt - 1)
    expect(pauseSeconds(listed, since)).toBeGreaterThan(doubled * 0.49)
    expect(pauseSeconds(listed, Date.now())).toBeLessThan(doubled * 1.5)
  },
)

test('a postponed job waits for its delay, and the attempt does not count', async () => {
  work = () => {
    throw new Postpone('not yet', 60_000)
  }
  const since = Date.now()
  const listed = await listedAfter(2)
  expect(listed).toMatchObject({ state: 'retrying', attempts: 2, last_error: null })
  expect(pauseSeconds(listed, since)).toBeGreaterThan(59)
  expect(pauseSeconds(listed, Date.now())).toBeLessThanOrEqual(60)
})
