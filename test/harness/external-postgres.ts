import { randomBytes } from 'node:crypto'
import type pg from 'pg'
import { withClient } from './client.ts'
import type { TestDatabase } from './clone.ts'

/** The address of an optional PostgreSQL server on a developer's machine or in CI. */
const address = { host: '127.0.0.1', port: 5432, connectionTimeoutMillis: 1_000 }
const users = ['postgres', 'root']

export const noExternalPostgres = 'skipped: no PostgreSQL answers at 127.0.0.1:5432 without a password'

/** Creates a blank database on that server. Returns null if the server does not answer. */
export async function createExternalDatabase(): Promise<TestDatabase | null> {
  for (const user of users) {
    const maintenance: pg.ClientConfig = { ...address, user, database: 'postgres' }
    const name = `baize_test_${randomBytes(6).toString('hex')}`
    const made = await withClient(maintenance, client =>
      client.query(`create database ${name} template template0 encoding 'UTF8'`),
    ).then(
      () => true,
      () => false,
    )
    if (!made) continue
    return {
      connection: { ...address, user, database: name },
      url: `postgresql://${user}@${address.host}:${address.port}/${name}`,
      drop: async () => {
        await withClient(maintenance, client => client.query(`drop database if exists ${name} with (force)`))
      },
    }
  }
  return null
}
