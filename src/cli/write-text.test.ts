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

test('a text that fails midway leaves the file as it was, and nothing beside it', async () => {
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

test('a whole text takes the place of what was there, behind a link too', async () => {
  const link = join(directory.path, 'latest')
  await writeFile(file, 'that of yesterday\n')
  await symlink(file, link)
  expect(await toFile(link, async write => write('all of it\n').then(() => 'told'))).toBe('told')
  expect([await names(), await readFile(file, 'utf8'), await readFile(link, 'utf8')]).toEqual([
    ['dump.ndjson', 'latest'],
    'all of it\n',
    'all of it\n',
  ])
})

test('a device is written as it is', async () => {
  await toFile('/dev/null', write => write('all of it\n'))
  await expect(toFile('/dev/full', write => write('all of it\n'))).rejects.toMatchObject({ code: 'ENOSPC' })
})
