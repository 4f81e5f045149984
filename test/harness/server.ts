import { existsSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { startEmbedded } from '../../src/database/embedded/index.ts'
import { migrate } from '../../src/database/migrate.ts'
import { claimDataDirectory } from '../../src/instance/claim.ts'
import { withClient } from './client.ts'
import { testDatabasePrefix } from './clone.ts'
import { abandonedTestDirectories, createTestDirectory } from './directory.ts'

/** What a test file needs to clone the migrated database; plain data, as it crosses to the workers. */
export type TestServerAddress = {
  host: string
  port: number
  user: string
  template: string
  directory: string
}

export type TestServer = {
  address: TestServerAddress
  /** Databases that were cloned and not dropped. */
  leftovers(): Promise<string[]>
  dispose(): Promise<void>
}

/** Durability is what tests of the launcher are about; all others want speed. */
export const fastSettings = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  shared_buffers: '128MB',
}

/** A server of its own, with one migrated database to clone. */
export async function startTestServer(): Promise<TestServer> {
  await removeAbandoned()
  const directory = await createTestDirectory()
  const claim = await claimDataDirectory(directory.path)
  const embedded = await startEmbedded({ dataDirectory: directory.path, settings: fastSettings })
  const { host, port, user, database: template } = embedded
  const maintenance = { host, port, user, database: 'postgres' }
  await migrate({ host, port, user, database: template })
  // A stray connection would make every clone fail.
  await withClient(maintenance, client => client.query(`alter database ${template} allow_connections false`))
  return {
    address: { host, port, user, template, directory: directory.path },
    leftovers: () =>
      withClient(maintenance, async client => {
        const { rows } = await client.query<{ datname: string }>(
          'select datname from pg_database where starts_with(datname::text, $1)',
          [testDatabasePrefix],
        )
        return rows.map(row => row.datname)
      }),
    dispose: async () => {
      await embedded.stop()
      await claim.release()
      await directory.remove()
    },
  }
}

/** Directories of runs that were killed: whoever can claim one is alone with it. */
async function removeAbandoned(): Promise<void> {
  for (const path of await abandonedTestDirectories()) {
    if (!existsSync(join(path, 'instance.lock'))) continue // one that is just being made, or no server's
    const claim = await claimDataDirectory(path).catch(() => null)
    if (claim === null) continue
    await claim.release()
    await rm(path, { recursive: true, force: true }).catch(() => {}) // its server is just ending: the next run's task
  }
}
