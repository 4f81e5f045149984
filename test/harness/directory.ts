import { chmod, mkdtemp, readdir, rm, statfs } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { canReach, chooseServerUser } from '@baize/embedded-postgres/server-user'

/** A memory disk, on which cloning a database takes a tenth of the time. */
const memoryDisk = '/dev/shm'
const memoryDiskFreeBytesMin = 1024 ** 3

/** The names of directories have the process id after this prefix. */
const prefix = 'baize-test-'

export type TestDirectory = { path: string; remove(): Promise<void> }

/** Creates a directory that the database server's user can enter, too. */
export async function createTestDirectory(): Promise<TestDirectory> {
  const path = await mkdtemp(join(await parentDirectory(), `${prefix}${process.pid}-`))
  await chmod(path, 0o755)
  return { path, remove: () => rm(path, { recursive: true, force: true, maxRetries: 5 }) }
}

export async function abandonedTestDirectories(): Promise<string[]> {
  const parent = await parentDirectory()
  const names = (await readdir(parent)).filter(name => name.startsWith(prefix))
  return names
    .filter(name => !isAlive(Number.parseInt(name.slice(prefix.length), 10)))
    .map(name => join(parent, name))
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

let parent: Promise<string> | undefined

function parentDirectory(): Promise<string> {
  parent ??= chooseParent()
  return parent
}

/** Chooses the parent directory. The result is cached, because the check starts three processes. */
async function chooseParent(): Promise<string> {
  try {
    const { bavail, bsize } = await statfs(memoryDisk)
    const roomy = bavail * bsize > memoryDiskFreeBytesMin
    if (roomy && (await canReach(await chooseServerUser(null), memoryDisk))) return memoryDisk
  } catch {
    // This machine has no memory disk.
  }
  return tmpdir()
}
