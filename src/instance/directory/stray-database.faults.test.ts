import { existsSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { withClient } from '../../../test/harness/client.ts'
import { createTestDatabase, type TestDatabase } from '../../../test/harness/database.ts'
import { createTestDirectory, type TestDirectory } from '../../../test/harness/directory.ts'
import { eventually } from '../../../test/harness/eventually.ts'
import { serversBelow } from '../../../test/harness/processes.ts'
import { type Environment, type Instance, runProgram, startInstance } from '../../../test/harness/program.ts'

const create = ['account', 'create', '--name', 'Stray', '--json']

describe.skipIf(process.platform === 'win32')('a command without the service’s variables (in order)', () => {
  let directory: TestDirectory
  let database: TestDatabase
  let instance: Instance
  let folder: string
  let elsewhere: string
  let url: string

  beforeAll(async () => {
    directory = await createTestDirectory()
    database = await createTestDatabase()
    folder = join(directory.path, "Ada's clone")
    elsewhere = join(directory.path, 'elsewhere')
    await mkdir(folder)
    url = database.url.replace('baize@', 'baize:s3cret@')
    const environment = { DATA_DIR: elsewhere, DATABASE_URL: url, LOG_LEVEL: 'warn', TMPDIR: directory.path }
    instance = await startInstance('start', environment, { cwd: folder })
  })
  afterAll(async () => {
    await instance?.kill()
    await eventually('no server is left', async () => (await serversBelow(directory.path)).length === 0)
    await database?.drop()
    await directory?.remove()
  })

  const run = (environment: Environment, cwd = folder) =>
    runProgram('cli', create, { TMPDIR: directory.path, ...environment }, { cwd })

  const accountsOf = async () =>
    (await withClient(database.connection, client => client.query('select 1 from accounts'))).rowCount

  test("the greeting prints the variables that commands need to reach the service's database", async () => {
    const greeting = await eventually('the greeting', () =>
      /\n {2}export .*\n {2}npm run baize -- import/s.test(instance.stdout()) ? instance.stdout() : '',
    )
    expect(greeting).toContain(`\n  export DATA_DIR='${elsewhere}'\n`)
    expect(greeting).toContain(
      `\n  export DATABASE_URL='${database.url}'  # add the password, or set PGPASSWORD\n`,
    )
    expect(greeting).not.toContain('s3cret')
  })

  test('a command in the folder of a running service is refused, and creates no database', async () => {
    const { code, stdout, stderr } = await run({})
    expect({ code, stdout, stderr }).toEqual({
      code: 1,
      stdout: '',
      stderr:
        `${folder}/var has no database, and process ${instance.pid} of this folder, ` +
        `which serves http://localhost:${instance.port}, uses another DATA_DIR. Set it: export DATA_DIR='${elsewhere}'. ` +
        'To create a new, empty database instead: ' +
        `export DATA_DIR='${directory.path}/Ada'\\''s clone/var'.\n`,
    })
    expect(existsSync(join(folder, 'var'))).toBe(false)
  })

  test('a command with the same DATA_DIR as a service uses the database of the service', async () => {
    const before = await accountsOf()
    expect(await run({ DATA_DIR: elsewhere })).toMatchObject({ code: 0, stderr: '' })
    expect(await accountsOf()).toBe(Number(before) + 1)
  })

  test('a command creates a database in another DATA_DIR, or in a folder without a service', async () => {
    const other = join(directory.path, 'other clone')
    await mkdir(other)
    const ended = await Promise.all([run({ DATA_DIR: join(folder, 'var') }), run({}, other)])
    for (const each of ended) expect(each).toMatchObject({ code: 0, stderr: '' })
    expect(existsSync(join(other, 'var', 'postgres'))).toBe(true)
  })

  test('a command is refused on the DATA_DIR of a stopped service that had a DATABASE_URL', async () => {
    instance.signal('SIGTERM')
    await instance.ended
    const { code, stdout, stderr } = await run({ DATA_DIR: elsewhere })
    expect({ code, stdout, stderr }).toEqual({
      code: 1,
      stdout: '',
      stderr:
        `The service of ${elsewhere} used another database, and DATABASE_URL is not set. ` +
        `Set it, with its password: export DATABASE_URL='${database.url}'. ` +
        `To create a new, empty database instead, delete ${elsewhere}/external-database.\n`,
    })
    expect(existsSync(join(elsewhere, 'postgres'))).toBe(false)
    expect(await run({ DATA_DIR: elsewhere, DATABASE_URL: url })).toMatchObject({ code: 0, stderr: '' })
  })
})
