import { createHash } from 'node:crypto'
import { chmod, chown, mkdir, mkdtemp, readdir, readFile, rm, rmdir, stat, writeFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { withClient } from '../../test/harness/client.ts'
import { createTestDirectory, type TestDirectory } from '../../test/harness/directory.ts'
import { fastSettings } from '../../test/harness/server.ts'
import { cacheDirectory, prepareBinaries } from './binaries.ts'
import { startEmbedded } from './index.ts'
import { chooseServerUser } from './server-user.ts'

const settings = fastSettings
const isRoot = process.getuid?.() === 0

describe.skipIf(!isRoot)('a data directory below a home that only root can enter', () => {
  let home: string
  let elsewhere: string

  beforeEach(async () => {
    home = await mkdtemp(join(homedir(), 'baize-test-')) // The folder has mode 0700.
    const hash = createHash('sha256').update(home).digest('hex').slice(0, 16)
    elsewhere = join('/var/lib/baize', hash)
  })
  afterEach(async () => {
    await rm(home, { recursive: true, force: true })
    await rm(elsewhere, { recursive: true, force: true })
    await rmdir(dirname(elsewhere)).catch(() => {}) // This fails when the machine has other clusters there.
  })

  test("a database below root's home is stored elsewhere, and later starts find it there", async () => {
    const first = await startEmbedded({ dataDirectory: home, settings })
    await withClient(first, client => client.query('create table kept as select 42 as answer'))
    await first.stop()
    expect(await readFile(join(home, 'postgres.path'), 'utf8')).toBe(`${elsewhere}/postgres\n`)

    await chmod(home, 0o755)
    const second = await startEmbedded({ dataDirectory: home, settings })
    const { rows } = await withClient(second, client => client.query('select answer from kept'))
    await second.stop()
    expect(rows).toEqual([{ answer: 42 }])
  })

  test('a postgres.path that leads to no database is rejected, and no database is created', async () => {
    await writeFile(join(home, 'postgres.path'), `${elsewhere}/postgres\n`)
    await expect(startEmbedded({ dataDirectory: home, settings })).rejects.toThrow(/Restore it, or delete/)
  })

  test('an inaccessible database is rejected, and no empty database is created instead', async () => {
    await mkdir(join(home, 'postgres'))
    await writeFile(join(home, 'postgres', 'PG_VERSION'), '18\n')
    await expect(startEmbedded({ dataDirectory: home, settings })).rejects.toThrow(/is not accessible/)
  })

  test("server binaries below root's home are copied to a place where the server can run them", async () => {
    const native = join(home, 'package', 'native')
    const label = `test-${process.pid}`
    await mkdir(join(native, 'bin'), { recursive: true })
    await mkdir(join(native, 'lib'))
    await writeFile(join(native, 'bin', 'postgres'), '#!/bin/sh\n', { mode: 0o700 })
    await writeFile(join(native, 'lib', 'libx.so.1.2'), '', { mode: 0o600 })
    const links = [{ source: 'native/lib/libx.so.1.2', target: 'native/lib/libx.so.1' }]
    await writeFile(join(native, 'pg-symlinks.json'), JSON.stringify(links))

    const user = await chooseServerUser(null)
    const copy = await prepareBinaries(user, home, () => {}, { native, label })
    try {
      expect(copy).toBe(join(cacheDirectory, `postgres-${label}`))
      expect((await stat(join(copy, 'bin', 'postgres'))).mode & 0o777).toBe(0o755)
      expect((await stat(join(copy, 'lib', 'libx.so.1'))).mode & 0o777).toBe(0o644) // stat() follows links
    } finally {
      await rm(copy, { recursive: true, force: true })
      await rmdir(cacheDirectory).catch(() => {})
    }
  })
})

describe('a data directory that does not fit', () => {
  let directory: TestDirectory

  beforeEach(async () => {
    directory = await createTestDirectory()
  })
  afterEach(() => directory.remove())

  test('a data directory with a path too long for a socket uses a temporary directory', async () => {
    const dataDirectory = join(directory.path, 'deep'.repeat(25))
    const server = await startEmbedded({ dataDirectory, settings })
    expect(server.host.startsWith(directory.path)).toBe(false)
    await withClient(server, client => client.query('select 1'))
    await server.stop()
    await expect(stat(server.host)).rejects.toThrow(/ENOENT/)
  })

  test('a data directory with unknown files is rejected, and its files are unchanged', async () => {
    const { ids } = await chooseServerUser(null)
    const cluster = join(directory.path, 'postgres')
    await mkdir(cluster)
    if (ids) await chown(cluster, ids.uid, ids.gid)
    await expect(startEmbedded({ dataDirectory: directory.path, settings })).rejects.toThrow(
      /is not a PostgreSQL database/,
    )
    expect(await readdir(cluster)).toEqual([])
  })

  test('a data directory of another PostgreSQL release is rejected, and the release is named', async () => {
    const { ids } = await chooseServerUser(null)
    const cluster = join(directory.path, 'postgres')
    await mkdir(cluster)
    await writeFile(join(cluster, 'PG_VERSION'), '17\n')
    if (ids) await chown(cluster, ids.uid, ids.gid)
    await expect(startEmbedded({ dataDirectory: directory.path, settings })).rejects.toThrow(
      /created by PostgreSQL 17/,
    )
  })
})
