import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { type Child, startChild } from '../../../test/harness/child.ts'
import { withClient } from '../../../test/harness/client.ts'
import { createTestDatabase } from '../../../test/harness/database.ts'
import { createTestDirectory, type TestDirectory } from '../../../test/harness/directory.ts'
import { eventually } from '../../../test/harness/eventually.ts'
import { serversBelow } from '../../../test/harness/processes.ts'
import { startInstance } from '../../../test/harness/program.ts'
import { createLogger } from '../../config/logger.ts'
import { readSettings } from '../../config/settings.ts'
import { operatorMessage } from '../operator-message.ts'
import { work } from '../work.ts'
import { openSharedDatabase } from './shared-database.ts'

let directory: TestDirectory
let children: Child<object>[] = []

beforeEach(async () => {
  directory = await createTestDirectory()
})
afterEach(async () => {
  vi.unstubAllEnvs()
  for (const child of children) await child.kill()
  children = []
  await eventually('no server is left', async () => (await serversBelow(directory.path)).length === 0)
  await directory.remove()
})

const settings = () => readSettings({ DATA_DIR: directory.path })

async function hold(): Promise<Child<object>> {
  const child = startChild<object>('claim-directory.ts', directory.path)
  children.push(child)
  await child.hello
  return child
}

test('a command that waits in vain for DATA_DIR names the process that uses the directory', async () => {
  const { pid } = await hold()
  const waited: string[] = []
  const opening = openSharedDatabase(settings(), {
    as: 'command',
    waitMsMax: 600,
    onWait: who => void waited.push(who),
  })
  await expect(opening).rejects.toThrow(`is in use by process ${pid}, which is just starting`)
  expect(waited).toEqual([`process ${pid}, which is just starting`])
})

test('a worker that shares a database of another process fails once that process has ended', async () => {
  const instance = await startInstance('serve', { DATA_DIR: directory.path, LOG_LEVEL: 'silent' })
  const worker = await work(settings(), createLogger('silent'), { awayMsMax: 100 })
  await instance.kill()
  expect((await worker.failed).message).toBe(
    `Process ${instance.pid} ran the database, has stopped, and was not restarted.`,
  )
  await worker.stop()
})

test('a worker that waits for the migrations of another process stops at once at a signal', async () => {
  const database = await createTestDatabase()
  await withClient(database.connection, async client => {
    await client.query('select pg_advisory_lock(7203114902)')
    const stopping = new AbortController()
    const environment = { DATA_DIR: directory.path, DATABASE_URL: database.url }
    const working = work(readSettings(environment), createLogger('silent'), { stopping: stopping.signal })
    const ended = expect(working).rejects.toMatchObject({ name: 'AbortError' })
    await eventually('it waits', async () => {
      const { rows } = await client.query(
        `select from pg_stat_activity where datname = current_database() and wait_event = 'advisory'`,
      )
      return rows.length === 1
    })
    stopping.abort()
    await ended
    await client.query('select pg_advisory_unlock_all()')
    await eventually('nothing of it is left', async () => {
      const { rows } = await client.query(
        'select from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
      )
      return rows.length === 0
    })
  })
  await database.drop()
})

test('if DATABASE_URL is missing, the message about a lost database names DATA_DIR', () => {
  const gone = Object.assign(new Error('Connection terminated unexpectedly'), { code: '57P01' })
  vi.stubEnv('DATA_DIR', join(directory.path, 'var'))
  vi.stubEnv('DATABASE_URL', '')
  vi.stubEnv('BASE_URL', '') // Vitest sets BASE_URL to another value.
  expect(operatorMessage(gone)).toBe(
    `The database of ${join(directory.path, 'var')} does not answer (Connection terminated unexpectedly). ` +
      'It stops with the program that started it; try again.',
  )
})
