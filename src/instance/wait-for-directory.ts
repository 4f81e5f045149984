import { setTimeout as pause } from 'node:timers/promises'
import { type Claim, claimDataDirectory, DataDirectoryInUse } from './claim.ts'

export type DirectoryWaitOptions = {
  waitMsMax?: number | undefined
  /** Told once, who has the directory, when there is a wait for it. */
  onWait?: ((who: string) => void) | undefined
  /** Ends the wait at once, as a failure. */
  stopping?: AbortSignal | undefined
}

const turnPollMs = 50
const turnWaitMsMax = 60_000

/** What `take` gets of a data directory, as soon as whoever has it gives it free. Fails with DataDirectoryInUse after the wait. */
export async function waitForDirectory<Taken>(
  take: () => Promise<Taken>,
  { waitMsMax = turnWaitMsMax, onWait, stopping }: DirectoryWaitOptions,
  isWaitedFor: (holder: DataDirectoryInUse) => boolean = () => true,
): Promise<Taken> {
  const began = Date.now()
  for (let waits = 0; ; waits++) {
    try {
      return await take()
    } catch (error) {
      if (!(error instanceof DataDirectoryInUse) || !isWaitedFor(error)) throw error
      if (Date.now() - began > waitMsMax) throw error
      if (waits === 0) onWait?.(error.who)
    }
    await pause(turnPollMs, undefined, stopping === undefined ? {} : { signal: stopping })
  }
}

/**
 * The claim of a service. A command has the directory for a while, and is waited for; another service, or a worker, has it for
 * as long as it runs, and is told at once. One that has not yet said who it is does so within moments.
 */
export function claimWhenFree(dataDirectory: string, options: DirectoryWaitOptions): Promise<Claim> {
  return waitForDirectory(
    () => claimDataDirectory(dataDirectory),
    options,
    ({ running }) => running === null || running.isCommand,
  )
}
