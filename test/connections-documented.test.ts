import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { openFileStore } from '@baize/files'
import { load } from 'js-yaml'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createLogger } from '../src/config/logger.ts'
import { readSettings } from '../src/config/settings.ts'
import { openService } from '../src/http/open-service.ts'
import { startJobs } from '../src/instance/work.ts'
import { createTestDatabase, type TestDatabase } from './harness/database.ts'
import { createTestDirectory, type TestDirectory } from './harness/directory.ts'

// Adds up the pools that a process opens, and compares the sums with the pages of operators.

const opened: { max: number }[] = []
const { Pool } = pg
class CountedPool extends Pool {
  constructor(config?: pg.PoolConfig) {
    super(config)
    opened.push({ max: this.options.max })
  }
}

/** A service listens for finished checks when the first request waits for one. */
const listenConnections = 1
/** ReplicaWatch looks at the primary by a connection of its own. */
const watchConnections = 1

const read = (path: string) => readFileSync(join(import.meta.dirname, '..', path), 'utf8')
const sum = () => opened.reduce((total, { max }) => total + max, 0)
const log = createLogger('silent')

let database: TestDatabase
let directory: TestDirectory

beforeAll(async () => {
  database = await createTestDatabase()
  directory = await createTestDirectory()
  pg.Pool = CountedPool
})
afterAll(async () => {
  pg.Pool = Pool
  await database.drop()
  await directory.remove()
})

const settingsOf = () => ({
  ...readSettings({ DATA_DIR: directory.path, RENDER: 'off' }),
  commandVariables: [],
})

async function countServing(replica?: TestDatabase['connection']): Promise<number> {
  opened.splice(0)
  const settings = settingsOf()
  const { connection } = database
  const files = openFileStore(settings.files)
  const service = openService({ connection, replica, settings, files, log })
  const total = sum() + listenConnections
  await service.close()
  return total
}

async function countJobs(): Promise<number> {
  opened.splice(0)
  const settings = settingsOf()
  const { connection } = database
  const jobs = await startJobs({ connection, settings, files: openFileStore(settings.files), log })
  await jobs.stop()
  return sum()
}

test('the pages state the most connections of each process, and max_connections allows them', async () => {
  const serving = await countServing()
  const onReplica = (await countServing(database.connection)) - serving - watchConnections
  const jobs = await countJobs()
  const scaling = read('docs/operating/scaling.md').replaceAll(/\s+/g, ' ')
  expect(scaling).toContain(`at most ${serving} for requests`)
  expect(scaling).toContain(`up to ${onReplica} more go to the replica`)
  expect(scaling).toContain(`at most ${jobs} for its jobs`)
  const all = 2 * (serving + watchConnections + jobs) + 2 * jobs
  expect(read('docs/running-a-cluster.md')).toContain(`${all} for two of each`)
  const patroni = load(read('cluster/patroni.yaml')) as {
    bootstrap: { dcs: { postgresql: { parameters: { max_connections: number } } } }
  }
  const { max_connections } = patroni.bootstrap.dcs.postgresql.parameters
  // Patroni, a backup, psql, the checks of sessions, and those that PostgreSQL reserves.
  expect(max_connections).toBeGreaterThanOrEqual(all + 20)
})
