import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { runCommandHere } from '../../test/harness/command.ts'
import { createTestDatabase, type TestDatabase } from '../../test/harness/database.ts'
import { createTestDirectory, type TestDirectory } from '../../test/harness/directory.ts'

let database: TestDatabase
let elsewhere: TestDatabase
let directory: TestDirectory

beforeAll(async () => {
  database = await createTestDatabase()
  elsewhere = await createTestDatabase()
  directory = await createTestDirectory()
})
afterAll(async () => {
  await database.drop()
  await elsewhere.drop()
  await directory.remove()
})

const run = (args: readonly string[], { url } = database) =>
  runCommandHere(args, { DATA_DIR: directory.path, DATABASE_URL: url })
const create = (name: string) => run(['account', 'create', '--name', name, '--json'])

test('an account of any accepted name is dumped so that it imports elsewhere', async () => {
  const long = 'Ö'.repeat(500)
  for (const name of [long, '  Otter Ltd ']) expect(await create(name)).toMatchObject({ code: 0, stderr: '' })
  const file = join(directory.path, 'dump.ndjson')
  expect(await run(['dump', '--out', file])).toMatchObject({ code: 0 })
  expect(await run(['import', file], elsewhere)).toMatchObject({
    code: 0,
    stdout: 'account: 2 added, 0 changed, 0 unchanged\n',
  })
  const copy = join(directory.path, 'copy.ndjson')
  await run(['dump', '--out', copy], elsewhere)
  expect(await readFile(copy, 'utf8')).toBe(await readFile(file, 'utf8'))
  expect((await readFile(file, 'utf8')).match(/(?<="name":")[^"]+/g)?.sort()).toEqual(['Otter Ltd', long])
})

test.each([
  ['of blanks', '   '],
  ['of more characters than a dump may write', 'x'.repeat(501)],
])('a name %s opens no account, and says what a name has', async (_, name) => {
  expect(await create(name)).toEqual({
    code: 1,
    stdout: '',
    stderr: 'An account name must have 1 to 500 characters.\n',
  })
})

test('a grant beyond the exact integers of JSON is refused and changes nothing', async () => {
  const ref: string = JSON.parse((await create('Rich')).stdout).account_ref
  const grant = (credits: number) => run(['account', 'grant', ref, String(credits)])
  const most = 999_999_999_999_999
  for (let times = 0; times < 9; times += 1) expect(await grant(most)).toMatchObject({ code: 0, stderr: '' })
  const refusal = {
    code: 1,
    stdout: '',
    stderr:
      'An account can be granted at most 9007199254740991 credits, ' +
      'and has 8999999999999991; nothing was added.\n',
  }
  expect(await grant(most)).toEqual(refusal)
  const shown = async () => JSON.parse((await run(['account', 'show', ref, '--json'])).stdout)
  expect((await shown()).credits_granted).toBe(9 * most)
  expect(await grant(Number.MAX_SAFE_INTEGER - 9 * most)).toMatchObject({ code: 0, stderr: '' })
  expect((await shown()).credits_granted).toBe(Number.MAX_SAFE_INTEGER)
  expect(await grant(1)).toMatchObject({ code: 1, stdout: '' })
  expect((await run(['verify', '--no-replay'])).code).toBe(0)
})

test.skipIf(!existsSync('/dev/full'))(
  'every command reports a full disk in one line on stderr and exits with 1',
  async () => {
    const environment = { DATA_DIR: directory.path, DATABASE_URL: database.url, PATH: process.env.PATH ?? '' }
    const cli = fileURLToPath(new URL('../main/cli.ts', import.meta.url))
    const into = (where: string, ...args: string[]) =>
      promisify(execFile)('sh', ['-c', `"$0" "$@" ${where}`, process.execPath, cli, ...args], {
        env: environment,
      }).then(
        said => ({ code: 0, ...said }),
        ({ code, stdout, stderr }) => ({ code, stdout, stderr }),
      )
    const refusal = { code: 1, stdout: '', stderr: 'ENOSPC: no space left on device, write\n' }
    for (const args of [['dump'], ['verify', '--no-replay'], ['jobs', 'list', '--json']])
      expect({ args, ...(await into('>/dev/full', ...args)) }).toEqual({ args, ...refusal })
    // The reader closed the pipe.
    expect(await into('| true', 'verify', '--no-replay')).toEqual({ code: 0, stdout: '', stderr: '' })
    expect(await into('2>/dev/full', 'account', 'show', 'nobody')).toEqual({
      code: 1,
      stdout: '',
      stderr: '',
    })
  },
)
