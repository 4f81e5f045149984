import { expect, test } from 'vitest'
import { withClient } from './client.ts'
import { createTestDatabase } from './database.ts'

test('each test database is separate, migrated, and reachable by URL', async () => {
  const [one, other] = await Promise.all([createTestDatabase(), createTestDatabase()])
  try {
    const name = 'select current_database() as name from accounts right join (values (1)) as row on true'
    const [first] = (await withClient(one.connection, client => client.query(name))).rows
    const [second] = (await withClient({ connectionString: other.url }, client => client.query(name))).rows
    expect([first.name, second.name]).toEqual([one.connection.database, other.connection.database])
    expect(first.name).not.toBe(second.name)
  } finally {
    await Promise.all([one.drop(), other.drop()])
  }
})
