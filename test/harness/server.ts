import { existsSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { startEmbedded } from '../../src/database/embedded/index.ts'
import { migrate } from '../../src/database/migrate.ts'
import { claimDataDirectory } from '../../src/instance/claim.ts'
import { withClient } from './client.ts'
import { testDatabasePrefix } from './clone.ts'
import { abandonedTestDirectories, createTestDirectory } from './directory.ts'

/** How test files reach the server and its template. Plain data, because it is sent to the workers. */
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

/** Durability only matters to tests of the embedded server; all others need speed. */
export const fastSettings = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  shared_buffers: '128MB',
}

export async function startTestServer(): Promise<TestServer> {
  await removeAbandoned()
  const directory = await createTestDirectory()
  const claim = await claimDataDirectory(directory.path)
  const embedded = await startEmbedded({ dataDirectory: directory.path, settings: fastSettings })
  const { host, port, user, database: template } = embedded
  const maintenance = { host, port, user, database: 'postgres' }
  await migrate({ host, port, user, database: template })
  // A connection to the template would make every clone fail.
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

async function removeAbandoned(): Promise<void> {
  for (const path of await abandonedTestDirectories()) {
    if (!existsSync(join(path, 'instance.lock'))) continue // being created, or without a server
    const claim = await claimDataDirectory(path).catch(() => null)
    if (claim === null) continue
    await claim.release()
    // Fails while its server is ending; the next run removes it.
    await rm(path, { recursive: true, force: true }).catch(() => {})
  }
}
