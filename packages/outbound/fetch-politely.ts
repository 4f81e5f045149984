import { setTimeout as pause } from 'node:timers/promises'
import { checkTarget } from './check-target.ts'
import { type FetchFileOptions, type FetchOutcome, fetchFile } from './fetch-file.ts'
import { OutboundError } from './outbound-error.ts'

/** Keeps requests to a host apart, in all processes that share the turns. */
export type Turns = {
  /** Returns the milliseconds to wait, or null if they exceed `waitMsMax`. */
  takeTurn(host: string, gapMs: number, waitMsMax: number): Promise<number | null>
  /** Sends no request to a host for this long. */
  deferTurns(host: string, ms: number): Promise<void>
}

/** The pause between two files of one host. */
const gapMs = 2_000
const waitMsMax = 5 * 60_000
const deferMsMax = 60 * 60_000

/** Downloads a file when it is the turn of its host, and heeds a `Retry-After`. */
export async function fetchPolitely(turns: Turns, options: FetchFileOptions): Promise<FetchOutcome> {
  const url = await waitForHost(turns, options.url, options)
  try {
    return await fetchFile(options)
  } catch (error) {
    if (error instanceof OutboundError && error.retryAfterMs !== null)
      await turns.deferTurns(url.hostname, Math.min(deferMsMax, error.retryAfterMs))
    throw error
  }
}

/** Waits for a turn at the host, except at a host that the operator allows, which is the operator's own. */
export async function waitForHost(
  turns: Turns,
  text: string,
  { network, signal }: Pick<FetchFileOptions, 'network' | 'signal'>,
): Promise<URL> {
  const { url, isAllowedHost } = checkTarget(text, network.allowedHosts)
  if (!isAllowedHost) await waitForTurn(turns, url.hostname, signal)
  return url
}

async function waitForTurn(turns: Turns, host: string, signal: AbortSignal | undefined): Promise<void> {
  const waitMs = await turns.takeTurn(host, gapMs, waitMsMax)
  if (waitMs === null)
    throw new OutboundError(
      'timeout',
      `${host} has asked to be left alone, or other requests to it wait for more than ` +
        `${waitMsMax / 60_000} minutes`,
    )
  if (waitMs === 0) return
  await pause(waitMs, undefined, { signal }).catch(cause => {
    throw new OutboundError('stopped', `waiting for a turn at ${host} was stopped`, { cause })
  })
}
