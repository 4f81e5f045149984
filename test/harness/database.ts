import { inject } from 'vitest'
import { cloneDatabase, type TestDatabase } from './clone.ts'

import { type TestWorld, worldTemplate } from './world-template.ts'

export type { TestDatabase } from './clone.ts'

/** A migrated database for one test file, empty unless a world is named. Drop it in afterAll. */
export async function createTestDatabase(world: TestWorld = 'empty'): Promise<TestDatabase> {
  return cloneDatabase(inject('testServer'), await worldTemplate(world))
}

export async function createBlankDatabase(): Promise<TestDatabase> {
  return cloneDatabase(inject('testServer'), 'template0')
}
