import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { createTestDatabase } from '../../test/harness/database.ts'
import { createTestDirectory } from '../../test/harness/directory.ts'

test.skipIf(!existsSync('/dev/full'))(
  'every command reports a full disk in one line on stderr and exits with 1',
  async () => {
    const database = await createTestDatabase()
    const directory = await createTestDirectory()
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
    // The reader of `| true` closes the pipe, which is no failure.
    expect(await into('| true', 'verify', '--no-replay')).toEqual({ code: 0, stdout: '', stderr: '' })
    expect(await into('2>/dev/full', 'account', 'show', 'nobody')).toEqual({
      code: 1,
      stdout: '',
      stderr: '',
    })
    await database.drop()
    await directory.remove()
  },
)
