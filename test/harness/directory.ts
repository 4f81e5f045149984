import { chmod, mkdtemp, readdir, rm, statfs } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { canReach, chooseServerUser } from '../../src/database/embedded/server-user.ts'

/** Memory as a disk: a database is cloned there in a tenth of the time. */
const memoryDisk = '/dev/shm'
const memoryDiskFreeBytesMin = 1024 ** 3

const prefix = 'baize-test-'

export type TestDirectory = { path: string; remove(): Promise<void> }

/** A fresh directory that the database server's user can enter, too. */
export async function createTestDirectory(): Promise<TestDirectory> {
  const path = await mkdtemp(join(await parentDirectory(), prefix))
  await chmod(path, 0o755)
  return { path, remove: () => rm(path, { recursive: true, force: true, maxRetries: 5 }) }
}

/** The directories of other runs, under way or killed. */
export async function earlierTestDirectories(): Promise<string[]> {
  const parent = await parentDirectory()
  return (await readdir(parent)).filter(name => name.startsWith(prefix)).map(name => join(parent, name))
}

async function parentDirectory(): Promise<string> {
  try {
    const { bavail, bsize } = await statfs(memoryDisk)
    const roomy = bavail * bsize > memoryDiskFreeBytesMin
    if (roomy && (await canReach(await chooseServerUser(null), memoryDisk))) return memoryDisk
  } catch {
    // no such disk on this machine
  }
  return tmpdir()
}
