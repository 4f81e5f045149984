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
import type { FileStore } from './file-store.ts'
import { makeFolder, openFileStore } from './index.ts'

/** Each kind of file store must give these guarantees. */
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

  test('a file store returns the stored bytes unchanged', async () => {
    const pieces = Array.from({ length: 40 }, () => randomBytes(100_000))
    expect(await put('bytes/large.bin', ...pieces)).toEqual({ bytes: 4_000_000 })
    const found = await store.find('bytes/large.bin')
    expect(found?.bytes).toBe(4_000_000)
    expect((await read('bytes/large.bin'))?.equals(Buffer.concat(pieces))).toBe(true)
  })

  test('a file store returns any inclusive range, repeatedly', async () => {
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

  test('a file store stores text as UTF-8', async () => {
    expect(await store.put('text.txt', Readable.from(['zł', 'oty']))).toEqual({ bytes: 6 })
    expect(String(await read('text.txt'))).toBe('złoty')
  })

  test('a file store stores an empty file', async () => {
    expect(await put('empty.csv')).toEqual({ bytes: 0 })
    expect((await read('empty.csv'))?.length).toBe(0)
  })

  test('a file store finds no file under an unknown name or a folder name', async () => {
    await put('folder/file.txt', Buffer.from('x'))
    expect(await store.find('nobody.txt')).toBeNull()
    expect(await store.find('folder')).toBeNull()
    expect(await store.find('folder/file.txt/below.txt')).toBeNull()
  })

  test('a file store stores no part of a file whose content fails halfway', async () => {
    async function* failing() {
      yield randomBytes(200_000)
      throw new Error('the source is gone')
    }
    await expect(store.put('failed/half.bin', Readable.from(failing()))).rejects.toThrow('the source is gone')
    expect(await store.find('failed/half.bin')).toBeNull()
    expect(await listed('failed')).toEqual([])
  })

  test('a file store keeps the existing file if replacing it fails', async () => {
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

  test('a file store removes a file, and ignores a missing one', async () => {
    await put('removed.txt', Buffer.from('x'))
    await store.remove('removed.txt')
    await store.remove('removed.txt')
    expect(await store.find('removed.txt')).toBeNull()
  })

  test('a file store lists only files below a folder, with their time of writing', async () => {
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
  ])('a file store refuses a name that could lead out of the store: %j', async name => {
    await expect(put(name, Buffer.from('x'))).rejects.toThrow('is not a valid file name')
    await expect(store.find(name)).rejects.toThrow('is not a valid file name')
    await expect(store.remove(name)).rejects.toThrow('is not a valid file name')
  })
}

describe('a file store in a folder', () => {
  let directory: TestDirectory
  beforeAll(async () => {
    directory = await createTestDirectory()
  })
  afterAll(() => directory.remove())
  const place = () => join(directory.path, 'files')

  keepsItsPromises(() => openFileStore({ kind: 'folder', path: place() }))

  test('a folder is readable by its owner only, and created with the first file', async () => {
    const path = join(directory.path, 'new', 'files')
    const store = openFileStore({ kind: 'folder', path })
    expect(await store.find('x.txt')).toBeNull()
    await store.put('a/x.txt', Readable.from([Buffer.from('x')]))
    expect((await stat(path)).mode & 0o777).toBe(0o700)
  })

  test('a folder leaves no partial file behind after success or failure', async () => {
    const path = join(directory.path, 'parts')
    const store = openFileStore({ kind: 'folder', path })
    await store.put('x.txt', Readable.from([Buffer.from('x')]))
    await mkdir(join(path, 'y.txt'))
    await expect(store.put('y.txt', Readable.from([Buffer.from('y')]))).rejects.toThrow()
    expect(await readdir(path)).toEqual(['x.txt', 'y.txt'])
  })

  test('a folder lists the partial file of a killed process, so that the sweep removes it', async () => {
    const path = join(directory.path, 'killed')
    await mkdir(join(path, 'exports'), { recursive: true })
    await writeFile(join(path, 'exports', '1-a.csv.0123456789ab.part'), 'half')
    const store = openFileStore({ kind: 'folder', path })
    for await (const { name } of store.list('exports')) await store.remove(name)
    expect(await readdir(join(path, 'exports'))).toEqual([])
  })

  test('a full folder reports it, stores no partial file, and accepts smaller files', async context => {
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

  test('a file in place of the folder is reported', async () => {
    const { path: folder, remove } = await createTestDirectory()
    const file = join(folder, 'a-file')
    await writeFile(file, '')
    await expect(makeFolder(file)).rejects.toThrow(`${file} is a file. Set DATA_DIR or FILES_URL`)
    await remove()
  })

  test.skipIf(!existsSync('/proc/self'))('a folder that cannot be created is reported at once', async () => {
    for (const path of ['/proc', '/proc/baize/files']) {
      const store = openFileStore({ kind: 'folder', path })
      await expect(store.put('a/x.txt', Readable.from([Buffer.from('x')]))).rejects.toThrow('ENOENT')
    }
  })

  test('a folder that is not writable reports it', async () => {
    await writeFile(join(directory.path, 'occupied'), '')
    const store = openFileStore({ kind: 'folder', path: join(directory.path, 'occupied') })
    await expect(store.put('x.txt', Readable.from([Buffer.from('x')]))).rejects.toThrow(/is a file|ENOTDIR/)
  })
})

describe.skipIf(!hasObjectStore)('a file store in a bucket (skipped without moto_server)', () => {
  let remote: ObjectStore
  beforeAll(async () => {
    remote = await startObjectStore('live/eu/')
  })
  afterAll(() => remote.close())

  keepsItsPromises(() => openFileStore(remote.place))

  test('a bucket stores its files under the prefix', async () => {
    const store = openFileStore(remote.place)
    await store.put('logos/a.svg', Readable.from([Buffer.from('x')]))
    const bare = openFileStore({ ...remote.place, prefix: '' })
    expect((await bare.find('live/eu/logos/a.svg'))?.bytes).toBe(1)
  })

  test('a bucket lists more files than one page of the server', async () => {
    const store = openFileStore(remote.place)
    const names = Array.from({ length: 1_003 }, (_, number) => `many/${number}.txt`)
    for (let first = 0; first < names.length; first += 100)
      await Promise.all(names.slice(first, first + 100).map(name => store.put(name, Readable.from(['x']))))
    const found: string[] = []
    for await (const { name } of store.list('many')) found.push(name)
    expect(found.sort()).toEqual(names.sort())
  })

  test('a bucket that is unreachable fails and does not look empty', async () => {
    const away = openFileStore({ ...remote.place, endpoint: 'http://127.0.0.1:1' })
    await expect(away.put('x.txt', Readable.from([Buffer.from('x')]))).rejects.toThrow('ECONNREFUSED')
    await expect(away.find('x.txt')).rejects.toThrow('ECONNREFUSED')
  })

  test('a bucket that denies access is reported, and not as a missing file', async () => {
    const other = openFileStore({ ...remote.place, bucket: 'nobodys' })
    await expect(other.put('x.txt', Readable.from([Buffer.from('x')]))).rejects.toThrow(
      'bucket does not exist',
    )
  })
})
