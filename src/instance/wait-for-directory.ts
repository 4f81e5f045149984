import { setTimeout as pause } from 'node:timers/promises'
import { type Claim, claimDataDirectory, DataDirectoryInUse } from './claim.ts'

export type DirectoryWaitOptions = {
  waitMsMax?: number | undefined
  /** Called once, with the directory's owner, when a wait begins. */
  onWait?: ((owner: string) => void) | undefined
  /** Aborts the wait with an AbortError. */
  stopping?: AbortSignal | undefined
}

const waitPollMs = 50
const waitMsMaxDefault = 60_000

/** Fails with DataDirectoryInUse after the wait. */
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

/** Waits for a command or a starting process; fails at once beside another service or a worker. */
export function claimWhenFree(dataDirectory: string, options: DirectoryWaitOptions): Promise<Claim> {
  return waitForDirectory(
    () => claimDataDirectory(dataDirectory),
    options,
    ({ running }) => running === null || running.isCommand,
  )
}
