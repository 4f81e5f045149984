import { existsSync } from 'node:fs'
import { chmod } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync, type DatabaseSyncOptions } from 'node:sqlite'

/**
 * A lock that ends with its process. Node has no file locks of its own, SQLite has them on every platform, so an
 * empty SQLite file is the lock: `begin exclusive` takes it in one step, the kernel gives it back whatever becomes
 * of the holder, and two containers on one volume see the same one. Refused: a file with a pid (numbers return, and
 * two starts that both find a stale one both take it), a listening socket (the same race, and a path of 107 bytes).
 *
 * Nothing else may open the file: closing any descriptor of it would give the lock back.
 */
export type DirectoryLock = { release(): void }

const lockFile = (dataDirectory: string): string => join(dataDirectory, 'instance.lock')

/** A look by isLocked() holds the file for microseconds; a start must not take that for an instance. */
const lookPatienceMs = 250

const sqliteBusy = 5

/** What is held stays referenced here: a collected connection would be closed, and the lock gone. */
const held = new Set<DatabaseSync>()

/** null when another process, or this one, holds it. */
export async function acquireLock(dataDirectory: string): Promise<DirectoryLock | null> {
  const path = lockFile(dataDirectory)
  const database = openLockFile(path, { timeout: lookPatienceMs })
  try {
    database.exec('begin exclusive')
  } catch (error) {
    database.close()
    if (isBusy(error)) return null
    throw new Error(`${path} cannot be locked; is its file system able to?`, { cause: error })
  }
  held.add(database)
  await chmod(path, 0o600) // whoever may open it could keep it locked
  return {
    release() {
      if (held.delete(database)) database.close()
    },
  }
}

export function isLocked(dataDirectory: string): boolean {
  const path = lockFile(dataDirectory)
  if (!existsSync(path)) return false
  const database = openLockFile(path, { readOnly: true })
  try {
    database.prepare('select count(*) from sqlite_schema').get() // a shared lock, for the moment of reading
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
