import { randomBytes } from 'node:crypto'
import { readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { isLocked } from './lock.ts'

export type RunningDatabase =
  | { host: string; port: number; user: string; database: string } // The embedded database.
  | { url: string } // The value of DATABASE_URL.

export type RunningInstance = {
  pid: number
  /** Null for a worker. */
  url: string | null
  database: RunningDatabase
}

/**
 * The content of DATA_DIR/running.json. `database` is null during a start, and for a command, which does
 * not share its database.
 */
export type RunningRecord = {
  pid: number
  url: string | null
  database: RunningDatabase | null
  isCommand: boolean
}

const recordFile = (dataDirectory: string): string => join(dataDirectory, 'running.json')

/** Returns null without an instance, and while one is starting or a command runs. */
export async function findRunning(dataDirectory: string): Promise<RunningInstance | null> {
  const directory = resolve(dataDirectory)
  if (!isLocked(directory)) return null
  const record = await readRecord(directory)
  return record?.database ? { pid: record.pid, url: record.url, database: record.database } : null
}

export async function readRecord(dataDirectory: string): Promise<RunningRecord | null> {
  try {
    return JSON.parse(await readFile(recordFile(dataDirectory), 'utf8')) as RunningRecord
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw error
  }
}

/**
 * Writes the record and renames it into place, so that readers see a whole file. It is private, because a
 * URL may contain a password.
 */
export async function writeRecord(dataDirectory: string, record: RunningRecord): Promise<void> {
  const path = recordFile(dataDirectory)
  const temporary = `${path}.${randomBytes(4).toString('hex')}`
  await writeFile(temporary, `${JSON.stringify(record, null, 2)}\n`, { mode: 0o600 })
  await rename(temporary, path)
}

export async function removeRecord(dataDirectory: string): Promise<void> {
  await rm(recordFile(dataDirectory), { force: true })
}
