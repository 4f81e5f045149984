import { existsSync } from 'node:fs'
import { chmod } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync, type DatabaseSyncOptions } from 'node:sqlite'

/**
 * The lock is an empty SQLite file, because Node has no file locks. `begin exclusive` is atomic, the kernel
 * releases it when the process dies, and containers that share a volume share it. Pid files and listening
 * sockets are racy. Nothing else in this process may open the file, because closing any descriptor releases
 * the lock.
 */
export type DirectoryLock = { release(): void }

const lockFileName = 'instance.lock'
const lockFile = (dataDirectory: string): string => join(dataDirectory, lockFileName)
/** SQLite may leave a journal beside the file. */
export const isLockFile = (name: string): boolean => name.startsWith(lockFileName)

/** isLocked() locks the file for microseconds, and a start waits this long for it. */
const checkWaitMs = 250

const sqliteBusy = 5

/** References the connections, because garbage collection would close them and release the locks. */
const openLocks = new Set<DatabaseSync>()

/** Returns null when another process, or this one, has the lock. */
export async function acquireLock(dataDirectory: string): Promise<DirectoryLock | null> {
  const path = lockFile(dataDirectory)
  const database = openLockFile(path, { timeout: checkWaitMs })
  try {
    database.exec('begin exclusive')
  } catch (error) {
    database.close()
    if (isBusy(error)) return null
    throw new Error(`${path} cannot be locked; does its file system support locks?`, { cause: error })
  }
  openLocks.add(database)
  await chmod(path, 0o600) // Any user who can open the file could lock it.
  return {
    release() {
      if (openLocks.delete(database)) database.close()
    },
  }
}

export function isLocked(dataDirectory: string): boolean {
  const path = lockFile(dataDirectory)
  if (!existsSync(path)) return false
  const database = openLockFile(path, { readOnly: true })
  try {
    database.prepare('select count(*) from sqlite_schema').get() // SQLite has a shared lock while it reads.
    return false
  } catch (error) {
    if (isBusy(error)) return true
    throw error
  } finally {
    database.close()
  }
}

function openLockFile(path: string, options: DatabaseSyncOptions): DatabaseSync {
  try {
    return new DatabaseSync(path, options)
  } catch (cause) {
    throw new Error(`${path} cannot be opened; run this as the user that the service runs as`, { cause })
  }
}

const isBusy = (error: unknown): boolean => (error as { errcode?: number }).errcode === sqliteBusy
