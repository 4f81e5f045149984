import { existsSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { claimDataDirectory } from '@baize/data-directory'
import { type EmbeddedServer, startEmbedded } from '@baize/embedded-postgres'
import { migrate } from '../../src/database/migrate.ts'
import { withClient } from './client.ts'
import { testDatabasePrefix } from './clone.ts'
import { abandonedTestDirectories, createTestDirectory } from './directory.ts'
import { keepCluster, restoreCluster } from './kept-cluster.ts'

/**
 * The addresses of the server and its template for test files. They are plain data, because they are sent
 * to the workers.
 */
export type TestServerAddress = {
  host: string
  port: number
  user: string
  template: string
  directory: string
}

export type TestServer = {
  address: TestServerAddress
  leftovers(): Promise<string[]>
  dispose(): Promise<void>
}

/** Settings for speed. Only tests of the embedded server need durability. */
export const fastSettings = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  shared_buffers: '128MB',
  // Autovacuum would visit each of the 200 databases of a run.
  autovacuum: 'off',
}

export async function startTestServer(): Promise<TestServer> {
  await removeAbandoned()
  const directory = await createTestDirectory()
  const claim = await claimDataDirectory(directory.path)
  const start = () => startEmbedded({ dataDirectory: directory.path, settings: fastSettings })
  const isMigrated = await restoreCluster(directory.path)
  let embedded = await start()
  if (!isMigrated) {
    await makeTemplate(embedded)
    await embedded.stop()
    await keepCluster(directory.path)
    embedded = await start()
  }
  const { host, port, user, database: template } = embedded
  const maintenance = { host, port, user, database: 'postgres' }
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

async function makeTemplate({ host, port, user, database }: EmbeddedServer): Promise<void> {
  await migrate({ host, port, user, database })
  // Connections to the template are forbidden, because one would make every clone fail.
  await withClient({ host, port, user, database: 'postgres' }, client =>
    client.query(`alter database ${database} allow_connections false`),
  )
}

async function removeAbandoned(): Promise<void> {
  for (const path of await abandonedTestDirectories()) {
    if (!existsSync(join(path, 'instance.lock'))) continue // It is being created, or has no server.
    const claim = await claimDataDirectory(path).catch(() => null)
    if (claim === null) continue
    await claim.release()
    // Removal fails while the server is ending. The next run removes the directory.
    await rm(path, { recursive: true, force: true }).catch(() => {})
  }
}
