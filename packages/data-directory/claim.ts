import { existsSync } from 'node:fs'
import { readdir, rm, rmdir } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { makeFolder } from '@baize/files'
import { acquireLock, isLockFile } from './lock.ts'
import { type RunningDatabase, type RunningRecord, readRecord, removeRecord, writeRecord } from './running.ts'

export type DirectoryClaim = {
  /** Publishes this instance to other commands on this machine, once its database is up. */
  announce(running: { url: string | null; database: RunningDatabase }): Promise<void>
  /** Releases the directory after the database has stopped. Further calls do nothing. */
  release(): Promise<void>
}

export class DataDirectoryInUse extends Error {
  override readonly name = 'DataDirectoryInUse'
  /** The record of the other instance; null while it is starting. */
  readonly running: RunningRecord | null
  readonly owner: string

  constructor(dataDirectory: string, running: RunningRecord | null) {
    const owner = running === null ? 'another instance' : `process ${running.pid}, ${activityOf(running)}`
    super(`${dataDirectory} is in use by ${owner}. Stop that first, or set another DATA_DIR.`)
    this.running = running
    this.owner = owner
  }
}

function activityOf({ url, database, isCommand }: RunningRecord): string {
  if (url !== null) return `which serves ${url}`
  if (isCommand) return 'a command that has not finished yet'
  return database === null ? 'which is just starting' : 'which does jobs'
}

/**
 * Claims the directory until the process ends, even by kill -9. Fails with DataDirectoryInUse or
 * MakeFolderError.
 */
export async function claimDataDirectory(
  dataDirectory: string,
  { isCommand = false } = {},
): Promise<DirectoryClaim> {
  const directory = resolve(dataDirectory)
  const isNew = !existsSync(directory)
  await makeFolder(directory)
  const lock = await acquireLock(directory)
  if (lock === null) throw new DataDirectoryInUse(directory, await readRecord(directory))
  const { pid } = process
  // This replaces the record of a killed instance, whose address must not be used as ours.
  await writeRecord(directory, { pid, url: null, database: null, isCommand })
  let released = false
  return {
    announce: running => writeRecord(directory, { pid, ...running, isCommand }),
    release: async () => {
      if (released) return
      released = true
      // The record is removed before the lock is released, because afterwards it belongs to the next
      // instance.
      await removeRecord(directory)
      if (isNew) await removeUnused(directory)
      lock.release()
    },
  }
}

/** Removes the folder of a start that failed before it stored anything. The caller still has the lock. */
async function removeUnused(directory: string): Promise<void> {
  const files = await readdir(directory)
  if (!files.every(isLockFile)) return
  for (const file of files) await rm(join(directory, file), { force: true })
  await rmdir(directory)
}

type DirectoryWaitOptions = {
  waitMsMax?: number | undefined
  /** Is called once, with the directory's owner, when a wait begins. */
  onWait?: ((owner: string) => void) | undefined
  /** Aborts the wait with an AbortError. */
  stopping?: AbortSignal | undefined
}

const waitPollMs = 50
/** A command may run long, and a first start on a busy machine. The caller says for what it waits. */
const waitMsMaxDefault = 10 * 60_000

/** Waits for a free directory. Fails with DataDirectoryInUse after the wait. */
export async function waitForDirectory<Result>(
  attempt: () => Promise<Result>,
  { waitMsMax = waitMsMaxDefault, onWait, stopping }: DirectoryWaitOptions,
  shouldWait: (error: DataDirectoryInUse) => boolean = () => true,
): Promise<Result> {
  const began = Date.now()
  for (let waits = 0; ; waits++) {
    try {
      return await attempt()
    } catch (error) {
      if (!(error instanceof DataDirectoryInUse) || !shouldWait(error)) throw error
      if (Date.now() - began > waitMsMax) throw error
      if (waits === 0) onWait?.(error.owner)
    }
    await pause(waitPollMs, undefined, stopping === undefined ? {} : { signal: stopping })
  }
}

/** Waits for a command or a starting process. Fails at once beside another service or a worker. */
export function claimWhenFree(dataDirectory: string, options: DirectoryWaitOptions): Promise<DirectoryClaim> {
  return waitForDirectory(
    () => claimDataDirectory(dataDirectory),
    options,
    ({ running }) => running === null || running.isCommand,
  )
}
