import { cloneDatabase, type TestDatabase } from './clone.ts'
import { testServer } from './test-server.ts'
import { type TestWorld, worldTemplate } from './world-template.ts'

export type { TestDatabase } from './clone.ts'

/**
 * Creates a migrated database for one test file. It is empty unless a world is named. Drop it in afterAll.
 */
export async function createTestDatabase(world: TestWorld = 'empty'): Promise<TestDatabase> {
  return cloneDatabase(await testServer(), await worldTemplate(world))
}

export async function createBlankDatabase(): Promise<TestDatabase> {
  return cloneDatabase(await testServer(), 'template0')
}
