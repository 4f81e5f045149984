import { afterAll, beforeAll, expect, test } from 'vitest'
import { differenceOf, pictures } from '../scripts/picture-list.ts'
import { createTestDatabase, type TestDatabase } from './harness/database.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.drop())

test.each(pictures)('$path is what `npm run pictures` writes', async picture => {
  expect(await differenceOf(picture, database.connection)).toBeNull()
})
