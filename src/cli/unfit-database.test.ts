import { afterAll, beforeAll, expect, test } from 'vitest'
import { withClient } from '../../test/harness/client.ts'
import { runCommandHere } from '../../test/harness/command.ts'
import { createTestDatabase, type TestDatabase } from '../../test/harness/database.ts'
import { createTestDirectory, type TestDirectory } from '../../test/harness/directory.ts'
import { runProgram } from '../../test/harness/program.ts'

let database: TestDatabase
let directory: TestDirectory
beforeAll(async () => {
  database = await createTestDatabase()
  directory = await createTestDirectory()
  await withClient(database.connection, client =>
    client.query(`update kysely_migration_checksum set sha256 = 'another' where name = '0002_settle'`),
  )
})
afterAll(async () => {
  await database.drop()
  await directory.remove()
})

test('after a migration was edited, commands and the service fail and name the file', async () => {
  const environment = { DATA_DIR: directory.path, DATABASE_URL: database.url }
  const refused = {
    code: 1,
    stdout: '',
    stderr: expect.stringMatching(/^0002_settle\.sql was edited after it had run .* Restore the file, .*\n$/),
  }
  expect(await runCommandHere(['verify'], environment)).toEqual(refused)
  expect(await runProgram('serve', [], environment)).toEqual(refused)
})
