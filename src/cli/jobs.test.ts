import type { CommandResult } from '@baize/terminal'
import { Command } from 'commander'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../test/harness/database.ts'
import { eventually } from '../../test/harness/eventually.ts'
import { createLogger } from '../config/logger.ts'
import { openWorld } from '../database/open.ts'
import { addJob, listJobs, PermanentFailure, startWorker } from '../jobs/index.ts'
import { jobsCommands } from './jobs.ts'

let database: TestDatabase

beforeAll(async () => {
  database = await createTestDatabase()
  vi.stubEnv('DATABASE_URL', database.url)
  vi.stubEnv('BASE_URL', '') // Vitest sets BASE_URL to another value.
})
afterEach(() => {
  vi.restoreAllMocks()
})
afterAll(async () => {
  vi.unstubAllEnvs()
  await database.drop()
})

/** Runs a command line and returns its one result. */
async function run(...args: string[]): Promise<CommandResult> {
  const printed: CommandResult[] = []
  const program = new Command('baize').exitOverride()
  jobsCommands(program, {
    print: each => void printed.push(each),
    progress: () => {},
    done: async () => ({ failed: false }),
  })
  await program.parseAsync(args, { from: 'user' })
  expect(printed).toHaveLength(1)
  return printed[0] as CommandResult
}

test('jobs list prints an empty list if no job ever ran', async () => {
  expect(await run('jobs', 'list')).toEqual({ json: [], text: '(none)' })
})

test('jobs list shows a failed job first with its last error, and --failed only failed jobs', async () => {
  const world = openWorld('public', { connection: database.connection })
  const task = {
    name: 'fetch_register',
    attemptsMax: 3,
    retryAfterMs: 60_000,
    run: async () => {
      throw new PermanentFailure('the list\nis gone')
    },
  }
  const worker = await startWorker({
    connection: database.connection,
    tasks: [task],
    log: createLogger('silent'),
  })
  const job = { task: task.name, payload: {}, attemptsMax: 3 }
  await addJob(world.database, { ...job, key: 'fetch_register otterland.blocklist', delayMs: 3_600_000 })
  await addJob(world.database, { ...job, key: 'fetch_register heronia.blocklist', delayMs: 0 })
  await eventually('it has failed', async () => (await listJobs(world.database))[0]?.state === 'failed')
  await worker.stop()
  await world.close()

  const all = await run('jobs', 'list')
  expect(all.json).toEqual([
    {
      job: expect.any(Number),
      task: 'fetch_register',
      key: 'fetch_register heronia.blocklist',
      state: 'failed',
      attempts: 1,
      attempts_max: 1,
      next_at: null,
      created_at: expect.any(Date),
      last_error: 'the list\nis gone',
    },
    expect.objectContaining({ key: 'fetch_register otterland.blocklist', state: 'waiting', attempts: 0 }),
  ])
  expect(all.text.split('\n')[1]).toMatch(
    /^\d+ +fetch_register heronia\.blocklist +failed +1 of 1 +- +the list is gone$/,
  )
  expect(await run('jobs')).toEqual(all)
  const failed = await run('jobs', 'list', '--failed')
  expect(failed.json).toEqual([expect.objectContaining({ state: 'failed' })])
})

test('jobs list prints how many jobs it leaves out', async () => {
  const world = openWorld('public', { connection: database.connection })
  const job = { task: 'check_site', payload: {}, attemptsMax: 3, delayMs: 3_600_000 }
  await world.database
    .transaction()
    .execute(tx =>
      Promise.all(
        Array.from({ length: 600 }, (_, index) => addJob(tx, { ...job, key: `check:site${index}.example` })),
      ),
    )
  await world.close()
  const { json, text } = await run('jobs')
  expect(json).toHaveLength(500)
  expect(text.split('\n').at(-1)).toBe('500 of 602 jobs')
})
