import { resolve } from 'node:path'
import { makeFolder } from '../files/index.ts'
import { acquireLock } from './lock.ts'
import { type RunningDatabase, type RunningRecord, readRecord, removeRecord, writeRecord } from './running.ts'

export type Claim = {
  /** Makes this instance known to the other commands on this machine, once its database is up. */
  announce(running: { url: string | null; database: RunningDatabase }): Promise<void>
  /** Gives the directory free. Last of all, after the database has stopped. May be called again. */
  release(): Promise<void>
}

export class DataDirectoryInUse extends Error {
  override readonly name = 'DataDirectoryInUse'
  /** The instance that has it; null when it has not yet said who it is. */
  readonly running: RunningRecord | null
  /** The same in words. */
  readonly who: string

  constructor(dataDirectory: string, running: RunningRecord | null) {
    const who = running === null ? 'another instance' : `process ${running.pid}, ${describe(running)}`
    super(
      `${dataDirectory} is in use by ${who}. Stop that first, or start this one with a DATA_DIR of its own.`,
    )
    this.running = running
    this.who = who
  }
}

function describe({ url, database, isCommand }: RunningRecord): string {
  if (url !== null) return `which serves ${url}`
  if (isCommand) return 'a command that has not finished yet'
  return database === null ? 'which is just starting' : 'which does jobs'
}

/**
 * Makes this process the only instance on a data directory, which is created if need be; the claim ends with the
 * process, however that dies. Fails with DataDirectoryInUse or MakeFolderError.
 */
export async function claimDataDirectory(dataDirectory: string, { isCommand = false } = {}): Promise<Claim> {
  const directory = resolve(dataDirectory)
  await makeFolder(directory)
  const lock = await acquireLock(directory)
  if (lock === null) throw new DataDirectoryInUse(directory, await readRecord(directory))
  const { pid } = process
  // At once, over whatever a killed instance left: nobody may take its address for ours.
  await writeRecord(directory, { pid, url: null, database: null, isCommand })
  let released = false
  return {
    announce: running => writeRecord(directory, { pid, ...running, isCommand }),
    release: async () => {
      if (released) return
      released = true
      // In this order: once the lock is free the record is the next holder's.
      await removeRecord(directory)
      lock.release()
    },
  }
}
