import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { runCommandHere } from '../../test/harness/command.ts'
import { createTestDatabase, type TestDatabase } from '../../test/harness/database.ts'
import { createTestDirectory, type TestDirectory } from '../../test/harness/directory.ts'
import { drawing, logoLine } from '../features/logos/fixture.ts'

let database: TestDatabase
let directory: TestDirectory
beforeAll(async () => {
  database = await createTestDatabase()
  directory = await createTestDirectory()
  const file = join(directory.path, 'logos.ndjson')
  await writeFile(join(directory.path, 'light.svg'), drawing(1))
  await writeFile(join(directory.path, 'dark.svg'), drawing(2))
  const lines = ['light', 'dark'].map(theme =>
    logoLine('game', 'otter-splash', 'Otter Splash', { file: `${theme}.svg`, theme }),
  )
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

test('images of a logo are withdrawn one by one or all at once, with a stored reason', async () => {
  const shown = await json('logo', 'show', 'game', 'otter-splash')
  expect(shown).toMatchObject([
    { theme: 'dark', status: 'current', file: expect.stringMatching(/^[0-9a-f]{64}\.svg$/), reason: null },
    { theme: 'light', status: 'current', superseded_at: null },
  ])
  const { file } = shown[0]
  expect(
    await json('logo', 'withdraw', 'game', 'otter-splash', '--theme', 'dark', '--why', 'not theirs'),
  ).toEqual({ kind: 'game', slug: 'otter-splash', withdrawn: 1, files: [file], still_shown: [] })
  expect(
    await run('logo', 'withdraw', 'game', 'otter-splash', '--file', file, '--why', 'again'),
  ).toMatchObject({
    code: 1,
    stdout: '',
    stderr: 'game otter-splash has no matching image to withdraw.\n',
  })
  expect(await run('logo', 'withdraw', 'game', 'otter-splash', '--why', 'nor this')).toMatchObject({
    code: 0,
    stdout: 'game otter-splash: 1 image withdrawn from customers; the demo world is unchanged\n',
  })
  expect(await json('logo', 'show', 'game', 'otter-splash')).toMatchObject([
    { theme: 'dark', status: 'withdrawn', superseded_at: expect.any(String), reason: 'not theirs' },
    { theme: 'light', status: 'withdrawn', reason: 'nor this' },
  ])
})

test('a withdrawn file that another subject uses is still served, and the subject is named', async () => {
  const file = join(directory.path, 'twins.ndjson')
  const lines = ['otter-dive', 'otter-dive-2'].map(slug =>
    logoLine('game', slug, slug.replaceAll('-', ' '), { file: 'light.svg' }),
  )
  await writeFile(file, lines.map(line => JSON.stringify(line)).join('\n'))
  await json('import', file)
  const [{ file: stored }] = await json('logo', 'show', 'game', 'otter-dive')
  expect((await run('logo', 'withdraw', 'game', 'otter-dive', '--why', 'x')).stdout).toContain(
    `\n${stored} is still served: another subject uses the same image\n`,
  )
  expect(await json('logo', 'withdraw', 'game', 'otter-dive-2', '--why', 'x')).toMatchObject({
    files: [stored],
    still_shown: [],
  })
})

test.each([
  [
    ['withdraw', 'game', 'nobody', '--why', 'x'],
    'There is no game nobody. GET /v1/logos/search lists slugs.\n',
  ],
  [
    ['withdraw', 'toy', 'otter-splash', '--why', 'x'],
    'Unknown kind toy. It must be one of operator_brand, company, supplier_brand, payment_method, game.\n',
  ],
  [['withdraw', 'game', 'otter-splash', '--why', ' '], 'State a reason. It is stored with each image.\n'],
])('withdrawing logo %j is refused in one line', async (args, stderr) => {
  expect(await run('logo', ...args)).toMatchObject({ code: 1, stdout: '', stderr })
})
