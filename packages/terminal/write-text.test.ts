import { readdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createTestDirectory, type TestDirectory } from '../../test/harness/directory.ts'
import { toFile } from './write-text.ts'

let directory: TestDirectory
let file: string
beforeEach(async () => {
  directory = await createTestDirectory()
  file = join(directory.path, 'dump.ndjson')
})
afterEach(() => directory.remove())

const names = async () => (await readdir(directory.path)).sort()

test('a failed write leaves the old file and no other', async () => {
  const failing = () =>
    toFile(file, async write => {
      await write('half of it\n')
      throw new Error('the database is away')
    })
  await expect(failing()).rejects.toThrow('the database is away')
  expect(await names()).toEqual([])

  await writeFile(file, 'that of yesterday\n')
  await expect(failing()).rejects.toThrow('the database is away')
  expect([await names(), await readFile(file, 'utf8')]).toEqual([['dump.ndjson'], 'that of yesterday\n'])
})

test('a complete write replaces the file, also behind a link', async () => {
  const link = join(directory.path, 'latest')
  await writeFile(file, 'that of yesterday\n')
  await symlink(file, link)
  expect(await toFile(link, async write => write('all of it\n').then(() => 'done'))).toBe('done')
  expect([await names(), await readFile(file, 'utf8'), await readFile(link, 'utf8')]).toEqual([
    ['dump.ndjson', 'latest'],
    'all of it\n',
    'all of it\n',
  ])
})

test('a device is written directly', async () => {
  await toFile('/dev/null', write => write('all of it\n'))
  await expect(toFile('/dev/full', write => write('all of it\n'))).rejects.toMatchObject({ code: 'ENOSPC' })
})
