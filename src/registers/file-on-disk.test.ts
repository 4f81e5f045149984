import { mkdtemp, rm, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sourceFileBytesMax } from '@baize/register-fetcher'
import { contentDigest } from '@baize/registers/guard'
import { fileOfBytes } from '@baize/tables'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { sourceFileFrom } from './file-on-disk.ts'

let directory: string

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'baize-registers-'))
})
afterAll(() => rm(directory, { recursive: true }))

async function fileWith(name: string, content: string): Promise<string> {
  const path = join(directory, name)
  await writeFile(path, content)
  return path
}

test('a register file on disk can be read several times', async () => {
  const file = await sourceFileFrom(await fileWith('hosts.txt', 'a.example\n'))
  expect(file.name).toBe('hosts.txt')
  for (let time = 0; time < 2; time += 1) {
    let text = ''
    for await (const chunk of file.open()) text += Buffer.from(chunk).toString()
    expect(text).toBe('a.example\n')
  }
})

test('a missing file, a folder and a file that is too large are reported differently', async () => {
  const large = await fileWith('large.csv', 'x')
  await truncate(large, sourceFileBytesMax + 1)
  const missing = join(directory, 'nowhere.csv')
  for (const [path, problem] of [
    [missing, ': no such file'],
    [directory, ' is not a file.'],
    [large, ': the file is larger than the limit of 256 MiB'],
  ] as const)
    await expect(sourceFileFrom(path)).rejects.toMatchObject({
      name: 'StaffError',
      message: `${path}${problem}`,
    })
})

test('the digest of a snapshot does not depend on names and order of its files', async () => {
  const one = fileOfBytes('1', 'a.example')
  const two = fileOfBytes('2', 'b.example')
  const digest = await contentDigest([one, two])
  expect(await contentDigest([{ ...two, name: 'x' }, one])).toEqual(digest)
  expect(await contentDigest([one])).not.toEqual(digest)
  expect(await contentDigest([one, fileOfBytes('2', 'b.example\n')])).not.toEqual(digest)
})
