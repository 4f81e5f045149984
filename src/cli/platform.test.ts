import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { runCommandHere } from '../../test/harness/command.ts'
import { createTestDatabase, type TestDatabase } from '../../test/harness/database.ts'
import { createTestDirectory, type TestDirectory } from '../../test/harness/directory.ts'

let database: TestDatabase
let directory: TestDirectory
beforeAll(async () => {
  database = await createTestDatabase()
  directory = await createTestDirectory()
  const file = join(directory.path, 'sites.ndjson')
  const lines = [
    { kind: 'company', key: 'otter', company_name: 'Otter', role: ['operator'] },
    { kind: 'domain', domain: 'otter.example', company: 'otter', relation: 'licensee' },
    { kind: 'platform', key: 'sandbag', name: 'Sandbag', aliases: ['Sandbag Systems'] },
    { kind: 'platform', key: 'tidewheel', name: 'Tidewheel', reviewed: true },
    {
      kind: 'platform_reading',
      domain: 'otter.example',
      platform: 'sandbag',
      seen_at: '2026-01-01T00:00:00Z',
    },
  ]
  await writeFile(file, lines.map(line => JSON.stringify(line)).join('\n'))
  await json('import', file)
})
afterAll(async () => {
  await database.drop()
  await directory.remove()
})

const run = (...args: string[]) =>
  runCommandHere(args, { DATA_DIR: directory.path, DATABASE_URL: database.url })

async function json(...args: string[]) {
  const { code, stdout, stderr } = await run(...args, '--json')
  expect({ args, code, stderr }).toEqual({ args, code: 0, stderr: '' })
  return JSON.parse(stdout)
}

test('baize lists platforms without a review first, and a review can be revoked', async () => {
  const [waiting, reviewed] = await json('platform', 'list')
  expect(waiting).toEqual({
    platform_key: 'sandbag',
    name: 'Sandbag',
    aliases: ['Sandbag Systems'],
    reviewed_at: null,
    sites: 1,
    signals: 0,
  })
  expect(reviewed).toMatchObject({ platform_key: 'tidewheel', reviewed_at: expect.any(String), sites: 0 })

  const review = { platform_key: 'sandbag', name: 'Sandbag' }
  expect(await json('platform', 'review', 'sandbag')).toEqual({
    ...review,
    reviewed: true,
    changed: true,
    signals: 1,
  })
  expect(await run('platform', 'review', 'sandbag')).toMatchObject({
    code: 0,
    stdout: 'sandbag  already reviewed; nothing changed\n',
  })
  expect(await json('platform', 'review', 'sandbag', '--undo')).toEqual({
    ...review,
    reviewed: false,
    changed: true,
    signals: 0,
  })
  expect((await run('platform', 'list')).stdout).toMatch(/^platform_key .*\nsandbag .* - +1 +1\n/)
  expect(await run('platform', 'review', 'nowhere')).toMatchObject({
    code: 1,
    stdout: '',
    stderr: 'Unknown platform "nowhere". "platform list" lists all.\n',
  })
})
