import { setTimeout as pause } from 'node:timers/promises'
import {
  checkTarget,
  type FetchFileOptions,
  type FetchOutcome,
  fetchFile,
  OutboundError,
} from '@baize/outbound'
import type { Database } from '../../database/open.ts'
import { deferTurns, takeTurn } from '../../database/turns-store.ts'

/** The pause between two requests to one regulator, across all processes. */
const gapMs = 2_000
const waitMsMax = 5 * 60_000
const deferMsMax = 60 * 60_000

export async function fetchPolitely(database: Database, options: FetchFileOptions): Promise<FetchOutcome> {
  const url = await waitForHost(database, options.url, options)
  try {
    return await fetchFile(options)
  } catch (error) {
    if (error instanceof OutboundError && error.retryAfterMs !== null)
      await deferTurns(database, url.hostname, Math.min(deferMsMax, error.retryAfterMs))
    throw error
  }
}

/** Waits for a turn at the host, except at a host that the operator allows, which is the operator's own. */
export async function waitForHost(
  database: Database,
  text: string,
  { network, signal }: Pick<FetchFileOptions, 'network' | 'signal'>,
): Promise<URL> {
  const { url, isAllowedHost } = checkTarget(text, network.allowedHosts)
  if (!isAllowedHost) await waitForTurn(database, url.hostname, signal)
  return url
}

async function waitForTurn(database: Database, host: string, signal: AbortSignal | undefined): Promise<void> {
  const waitMs = await takeTurn(database, host, { gapMs, waitMsMax })
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
