import { resolve } from 'node:path'
import { makeFolder } from '../files/index.ts'
import { acquireLock } from './lock.ts'
import { type RunningDatabase, type RunningRecord, readRecord, removeRecord, writeRecord } from './running.ts'

export type Claim = {
  /** Publishes this instance to other commands on this machine, once its database is up. */
  announce(running: { url: string | null; database: RunningDatabase }): Promise<void>
  /** Call it after the database has stopped; further calls do nothing. */
  release(): Promise<void>
}

export class DataDirectoryInUse extends Error {
  override readonly name = 'DataDirectoryInUse'
  /** null while that instance is starting. */
  readonly running: RunningRecord | null
  readonly owner: string

  constructor(dataDirectory: string, running: RunningRecord | null) {
    const owner = running === null ? 'another instance' : `process ${running.pid}, ${describe(running)}`
    super(`${dataDirectory} is in use by ${owner}. Stop that first, or set another DATA_DIR.`)
    this.running = running
    this.owner = owner
  }
}

function describe({ url, database, isCommand }: RunningRecord): string {
  if (url !== null) return `which serves ${url}`
  if (isCommand) return 'a command that has not finished yet'
  return database === null ? 'which is just starting' : 'which does jobs'
}

/** The claim ends with the process, also by kill -9. Fails with DataDirectoryInUse or MakeFolderError. */
export async function claimDataDirectory(dataDirectory: string, { isCommand = false } = {}): Promise<Claim> {
  const directory = resolve(dataDirectory)
  await makeFolder(directory)
  const lock = await acquireLock(directory)
  if (lock === null) throw new DataDirectoryInUse(directory, await readRecord(directory))
  const { pid } = process
  // Replaces the record of a killed instance now, so that its address is not used as ours.
  await writeRecord(directory, { pid, url: null, database: null, isCommand })
  let released = false
  return {
    announce: running => writeRecord(directory, { pid, ...running, isCommand }),
    release: async () => {
      if (released) return
      released = true
      // In this order: once the lock is free, the record belongs to the next instance.
      await removeRecord(directory)
      lock.release()
    },
  }
}
