import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, readdir, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createTestDirectory, type TestDirectory } from '../../test/harness/directory.ts'
import { hasObjectStore, type ObjectStore, startObjectStore } from '../../test/harness/object-store.ts'
import type { FileStore } from '../core/file-store.ts'
import { openFileStore } from './index.ts'

/** What every place of files promises, to be held against each kind of them. */
function keepsItsPromises(open: () => FileStore): void {
  let store: FileStore
  beforeAll(() => {
    store = open()
  })
  const put = (name: string, ...pieces: Uint8Array[]) => store.put(name, Readable.from(pieces))
  const read = async (name: string, range?: { start: number; end: number }) => {
    const found = await store.find(name)
    if (found === null) return null
    return buffer(await found.open(range))
  }
  const listed = async (folder: string) => {
    const names: string[] = []
    for await (const { name } of store.list(folder)) names.push(name)
    return names.sort()
  }

  test('gives back byte for byte what was put', async () => {
    const pieces = Array.from({ length: 40 }, () => randomBytes(100_000))
    expect(await put('bytes/large.bin', ...pieces)).toEqual({ bytes: 4_000_000 })
    const found = await store.find('bytes/large.bin')
    expect(found?.bytes).toBe(4_000_000)
    expect((await read('bytes/large.bin'))?.equals(Buffer.concat(pieces))).toBe(true)
  })

  test('gives back any range, both ends of it included, as often as it is asked', async () => {
    await put('ranges/digits.txt', Buffer.from('0123456789'))
    const found = await store.find('ranges/digits.txt')
    const texts: string[] = []
    for (const range of [
      { start: 0, end: 0 },
      { start: 3, end: 6 },
      { start: 9, end: 9 },
    ])
      texts.push(String(await buffer((await found?.open(range)) as Readable)))
    expect(texts).toEqual(['0', '3456', '9'])
  })

  test('takes text as its bytes in UTF-8', async () => {
    expect(await store.put('text.txt', Readable.from(['zł', 'oty']))).toEqual({ bytes: 6 })
    expect(String(await read('text.txt'))).toBe('złoty')
  })

  test('keeps an empty file', async () => {
    expect(await put('empty.csv')).toEqual({ bytes: 0 })
    expect((await read('empty.csv'))?.length).toBe(0)
  })

  test('has nothing under a name that nobody gave, nor under that of a folder', async () => {
    await put('folder/file.txt', Buffer.from('x'))
    expect(await store.find('nobody.txt')).toBeNull()
    expect(await store.find('folder')).toBeNull()
    expect(await store.find('folder/file.txt/below.txt')).toBeNull()
  })

  test('keeps nothing of a content that fails in the middle', async () => {
    async function* failing() {
      yield randomBytes(200_000)
      throw new Error('the source is gone')
    }
    await expect(store.put('failed/half.bin', Readable.from(failing()))).rejects.toThrow('the source is gone')
    expect(await store.find('failed/half.bin')).toBeNull()
    expect(await listed('failed')).toEqual([])
  })

  test('keeps what is there when something under the same name fails', async () => {
    await put('twice.txt', Buffer.from('first'))
    const broken = Readable.from(
      (async function* () {
        yield Buffer.from('sec')
        throw new Error('gone')
      })(),
    )
    await expect(store.put('twice.txt', broken)).rejects.toThrow('gone')
    expect(String(await read('twice.txt'))).toBe('first')
  })

  test('removes a file, and one that is not there any more as well', async () => {
    await put('removed.txt', Buffer.from('x'))
    await store.remove('removed.txt')
    await store.remove('removed.txt')
    expect(await store.find('removed.txt')).toBeNull()
  })

  test('lists what lies below a folder and nothing beside it, with when it was written', async () => {
    const before = Date.now() - 2_000
    await Promise.all(
      ['listed/1.txt', 'listed/deep/2.txt', 'listed-not/3.txt'].map(name => put(name, Buffer.from('x'))),
    )
    expect(await listed('listed')).toEqual(['listed/1.txt', 'listed/deep/2.txt'])
    expect(await listed('nowhere')).toEqual([])
    for await (const { modifiedAt } of store.list('listed')) {
      expect(modifiedAt.getTime()).toBeGreaterThanOrEqual(before)
      expect(modifiedAt.getTime()).toBeLessThanOrEqual(Date.now() + 2_000)
    }
  })

  test.each([
    '',
    '../out',
    'a/../../b',
    '/etc/passwd',
    'a//b',
    'a/.',
    '.hidden',
    'a b',
    'a\\b',
    'é',
    'x'.repeat(600),
  ])('takes no name that could lead out of it: %j', async name => {
    await expect(put(name, Buffer.from('x'))).rejects.toThrow('is not a valid file name')
    await expect(store.find(name)).rejects.toThrow('is not a valid file name')
    await expect(store.remove(name)).rejects.toThrow('is not a valid file name')
  })
}

describe('a folder', () => {
  let directory: TestDirectory
  beforeAll(async () => {
    directory = await createTestDirectory()
  })
  afterAll(() => directory.remove())
  const place = () => join(directory.path, 'files')

  keepsItsPromises(() => openFileStore({ kind: 'folder', path: place() }))

  test('is for its owner alone, and made when the first file comes', async () => {
    const path = join(directory.path, 'new', 'files')
    const store = openFileStore({ kind: 'folder', path })
    expect(await store.find('x.txt')).toBeNull()
    await store.put('a/x.txt', Readable.from([Buffer.from('x')]))
    expect((await stat(path)).mode & 0o777).toBe(0o700)
  })

  test('leaves no part of a file behind, whether it was written or failed', async () => {
    const path = join(directory.path, 'parts')
    const store = openFileStore({ kind: 'folder', path })
    await store.put('x.txt', Readable.from([Buffer.from('x')]))
    // A folder stands where the file would go: it cannot be renamed into place.
    await mkdir(join(path, 'y.txt'))
    await expect(store.put('y.txt', Readable.from([Buffer.from('y')]))).rejects.toThrow()
    expect(await readdir(path)).toEqual(['x.txt', 'y.txt'])
  })

  test('lists the part that a killed process left, for the sweep to take', async () => {
    const path = join(directory.path, 'killed')
    await mkdir(join(path, 'exports'), { recursive: true })
    await writeFile(join(path, 'exports', '1-a.csv.0123456789ab.part'), 'half')
    const store = openFileStore({ kind: 'folder', path })
    for await (const { name } of store.list('exports')) await store.remove(name)
    expect(await readdir(join(path, 'exports'))).toEqual([])
  })

  test('that is full says so, keeps nothing of the file, and takes what still fits (skipped where no disk can be made)', async context => {
    const path = join(directory.path, 'small')
    await mkdir(path)
    const mount = promisify(execFile)('mount', ['-t', 'tmpfs', '-o', 'size=256k', 'tmpfs', path])
    if (!(await mount.then(() => true).catch(() => false)))
      context.skip('this machine lets nobody make a disk')
    try {
      const store = openFileStore({ kind: 'folder', path })
      const large = Readable.from(Array.from({ length: 8 }, () => randomBytes(64 * 1024)))
      await expect(store.put('exports/large.csv', large)).rejects.toThrow('ENOSPC')
      expect(large.destroyed).toBe(true)
      expect(await readdir(join(path, 'exports'))).toEqual([])
      await store.put('exports/small.csv', Readable.from([randomBytes(64 * 1024)]))
      expect(await readdir(join(path, 'exports'))).toEqual(['small.csv'])
    } finally {
      await promisify(execFile)('umount', [path])
    }
  })

  test.skipIf(!existsSync('/proc/self'))(
    'below a place where nothing can be made says so at once',
    async () => {
      for (const path of ['/proc', '/proc/baize/files']) {
        const store = openFileStore({ kind: 'folder', path })
        await expect(store.put('a/x.txt', Readable.from([Buffer.from('x')]))).rejects.toThrow('ENOENT')
      }
    },
  )

  test('that cannot be written says so', async () => {
    await writeFile(join(directory.path, 'occupied'), '')
    const store = openFileStore({ kind: 'folder', path: join(directory.path, 'occupied') })
    await expect(store.put('x.txt', Readable.from([Buffer.from('x')]))).rejects.toThrow(/EEXIST|ENOTDIR/)
  })
})

describe.skipIf(!hasObjectStore)('a bucket (skipped where this machine has no moto_server)', () => {
  let remote: ObjectStore
  beforeAll(async () => {
    remote = await startObjectStore('live/eu/')
  }, 30_000)
  afterAll(() => remote.close())

  keepsItsPromises(() => openFileStore(remote.place))

  test('holds its files under the prefix', async () => {
    const store = openFileStore(remote.place)
    await store.put('logos/a.svg', Readable.from([Buffer.from('x')]))
    const bare = openFileStore({ ...remote.place, prefix: '' })
    expect((await bare.find('live/eu/logos/a.svg'))?.bytes).toBe(1)
  })

  test('lists more files than one answer of the server holds', async () => {
    const store = openFileStore(remote.place)
    const names = Array.from({ length: 1_003 }, (_, number) => `many/${number}.txt`)
    for (let first = 0; first < names.length; first += 100)
      await Promise.all(names.slice(first, first + 100).map(name => store.put(name, Readable.from(['x']))))
    const found: string[] = []
    for await (const { name } of store.list('many')) found.push(name)
    expect(found.sort()).toEqual(names.sort())
  }, 60_000)

  test('that is away fails, and is not taken for an empty one', async () => {
    const away = openFileStore({ ...remote.place, endpoint: 'http://127.0.0.1:1' })
    await expect(away.put('x.txt', Readable.from([Buffer.from('x')]))).rejects.toThrow('ECONNREFUSED')
    await expect(away.find('x.txt')).rejects.toThrow('ECONNREFUSED')
  })

  test('that is not ours says so, and is not taken for a missing file', async () => {
    const other = openFileStore({ ...remote.place, bucket: 'nobodys' })
    await expect(other.put('x.txt', Readable.from([Buffer.from('x')]))).rejects.toThrow(
      'bucket does not exist',
    )
  })
})
