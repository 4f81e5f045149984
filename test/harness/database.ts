import { inject } from 'vitest'
import { cloneDatabase, type TestDatabase } from './clone.ts'

export type { TestDatabase } from './clone.ts'

/** A migrated, empty database for one test file. Drop it in afterAll. */
export async function createTestDatabase(): Promise<TestDatabase> {
  const server = inject('testServer')
  return cloneDatabase(server, server.template)
}

/** A database to which nothing has been done yet, for tests of migrating. */
export async function createBlankDatabase(): Promise<TestDatabase> {
  return cloneDatabase(inject('testServer'), 'template0')
}
