import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { streams } from '../streams.ts'

const root = new URL('../../../', import.meta.url)
const command = fileURLToPath(new URL('packages/registers/command.ts', root))
const readme = readFileSync(new URL('packages/registers/README.md', root), 'utf8')
const run = (...words: string[]) =>
  promisify(execFile)(process.execPath, [command, ...words], { cwd: fileURLToPath(root) }).then(
    ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
    error => ({ code: error.code as number, stdout: error.stdout as string, stderr: error.stderr as string }),
  )
const indented = (text: string) => text.replaceAll(/^(?=.)/gm, '    ')

test('the registers command prints the records and rejected rows that the README shows', async () => {
  const { code, stdout, stderr } = await run(
    'read',
    'italy.blocklist',
    'packages/registers/example/italy.txt',
  )
  expect(code).toBe(0)
  expect(readme).toContain(indented(stdout))
  expect(readme).toContain(indented(stderr))
})

test('the registers command lists all registers, and refuses unknown ones and wrong files', async () => {
  const { stdout } = await run('list')
  expect(stdout.trim().split('\n')).toHaveLength(streams.length)
  expect(await run('read', 'atlantis.sites', 'packages/registers/example/italy.txt')).toMatchObject({
    code: 1,
    stderr: 'no register "atlantis.sites"; see "baize-registers list"\n',
  })
  expect(await run('read', 'czechia.blocklist', 'packages/registers/package.json')).toMatchObject({ code: 1 })
})
