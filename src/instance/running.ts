import { randomBytes } from 'node:crypto'
import { readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { isLocked } from './lock.ts'

export type RunningDatabase =
  | { host: string; port: number; user: string; database: string } // embedded
  | { url: string } // DATABASE_URL

export type RunningInstance = {
  pid: number
  /** Where it serves HTTP; null for a worker, which serves nothing. */
  url: string | null
  database: RunningDatabase
}

/** DATA_DIR/running.json: who runs there; `database` is null until it is up, and for a command, which shares it with nobody. */
export type RunningRecord = {
  pid: number
  url: string | null
  database: RunningDatabase | null
  isCommand: boolean
}

const recordFile = (dataDirectory: string): string => join(dataDirectory, 'running.json')

/**
 * The instance that runs on this data directory. null when there is none, whatever a killed one left behind, and while one
 * is still starting, or a command runs: then a claim is refused, too, and says so.
 */
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

/** Renamed into place, so that no reader meets half of it; for its owner only, as a URL may hold a password. */
export async function writeRecord(dataDirectory: string, record: RunningRecord): Promise<void> {
  const path = recordFile(dataDirectory)
  const aside = `${path}.${randomBytes(4).toString('hex')}`
  await writeFile(aside, `${JSON.stringify(record, null, 2)}\n`, { mode: 0o600 })
  await rename(aside, path)
}

export async function removeRecord(dataDirectory: string): Promise<void> {
  await rm(recordFile(dataDirectory), { force: true })
}
