import { randomBytes } from 'node:crypto'
import { readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { isLocked } from './lock.ts'

export type RunningDatabase =
  | { host: string; port: number; user: string; database: string } // embedded
  | { url: string } // DATABASE_URL

export type RunningInstance = {
  pid: number
  /** null for a worker. */
  url: string | null
  database: RunningDatabase
}

/** DATA_DIR/running.json. `database` is null during a start, and for a command, which does not share it. */
export type RunningRecord = {
  pid: number
  url: string | null
  database: RunningDatabase | null
  isCommand: boolean
}

const recordFile = (dataDirectory: string): string => join(dataDirectory, 'running.json')

/** null without an instance, also while one is starting or a command runs. */
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

/** Renamed into place, so that readers see a whole file. Private, because a URL may contain a password. */
export async function writeRecord(dataDirectory: string, record: RunningRecord): Promise<void> {
  const path = recordFile(dataDirectory)
  const temporary = `${path}.${randomBytes(4).toString('hex')}`
  await writeFile(temporary, `${JSON.stringify(record, null, 2)}\n`, { mode: 0o600 })
  await rename(temporary, path)
}

export async function removeRecord(dataDirectory: string): Promise<void> {
  await rm(recordFile(dataDirectory), { force: true })
}
