import { afterAll, beforeAll, expect, test } from 'vitest'
import { differenceOf, generatedFiles } from '../scripts/generated/files.ts'
import { createTestDatabase, type TestDatabase } from './harness/database.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.drop())

test.each(generatedFiles)('the committed file $path equals the output of `npm run generate`', async file => {
  expect(await differenceOf(file, database.connection)).toBeNull()
})
