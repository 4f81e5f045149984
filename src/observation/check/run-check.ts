import type { FileStore } from '@baize/files'
import { type CaptureReading, type CheckOutcome, type Finding, readCaptures } from '@baize/site-reader'
import { type FoundLogo, fetchLogo, LargePlace, type LookTools, lookAtSite } from '@baize/site-visitor'
import { untilAborted } from '@baize/threads/until-aborted'
import type { Transaction, World } from '../../database/open.ts'
import { isEligible, lastRenderedLaunch, wasLive } from '../../features/domains/index.ts'
import { type ClaimedCheck, claimCheck, finishCheck } from '../../features/enrichments/index.ts'
import { storeSiteImage, upsertSiteLogo } from '../../features/logos/index.ts'
import { applyReading } from './apply-reading.ts'
import { storeBodies } from './capture-bodies.ts'
import { insertCaptures, type StoredCapture } from './captures-store.ts'
import { insertReading } from './findings-store.ts'
import { waitForFacts } from './wait-for-facts-store.ts'

/** Limits a check from its start to its end, whatever it waits for: its site, threads, files or a sync. */
export const checkMsMax = 60_000
/** Leaves this part of the limit for storing what was received. */
const storeMs = 2_000

export type CheckOptions = {
  world: World
  files: FileStore
  openTools(signal: AbortSignal): LookTools
  userAgent: string
  now: () => Date
  /** Stops the check. Another worker then repeats it. */
  signal: AbortSignal
  msMax?: number
}

export type CheckReport = {
  checkId: number
  domain: string
  outcome: CheckOutcome
  findings: readonly Finding[]
  /** The time from the request to its start in milliseconds. */
  waitedMs: number
  /** The time from its start until it is read in milliseconds. */
  lookedMs: number
}

/**
 * Runs a check and stores captures, findings, derived data and the charge in one transaction. A check that
 * cannot end in time fails without a charge. Returns null if the check is already finished.
 */
export async function runCheck(checkId: number, options: CheckOptions): Promise<CheckReport | null> {
  const { world, now, signal: stop, msMax = checkMsMax } = options
  const check = await claimCheck(world.database, checkId, now())
  if (check === null) return null
  const endsAtMs = performance.now() + msMax
  const leftMs = () => Math.max(1, Math.ceil(endsAtMs - performance.now()))
  const signal = AbortSignal.any([stop, AbortSignal.timeout(msMax)])
  const large = new LargePlace()
  const tools = { ...options.openTools(signal), large }
  try {
    const seen = await untilAborted(lookAndRead(check, options, { tools, leftMs }), signal)
    await world.database.transaction().execute(tx => storeCheck(tx, check, { ...seen, signal, leftMs }))
    return reportOf(check, seen.reading, seen.now)
  } catch (error) {
    // A timer may fire a millisecond early.
    const isOutOfTime = signal.aborted || performance.now() >= endsAtMs
    if (stop.aborted || !isOutOfTime) throw error
    await world.database.transaction().execute(tx => finishCheck(tx, check, { ...outOfTime, now: now() }))
    return reportOf(check, unread, now())
  } finally {
    large.release()
  }
}

const outOfTime = { failure: 'timeout', readingId: null } as const
const unread: Pick<CaptureReading, 'outcome' | 'findings'> = {
  outcome: { outcome: 'failed', reason: outOfTime.failure },
  findings: [],
}

type Bounds = { tools: LookTools; leftMs(): number }

async function lookAndRead(
  check: ClaimedCheck,
  { world, files, userAgent, now }: CheckOptions,
  { tools, leftMs }: Bounds,
): Promise<Seen> {
  const { domain } = check
  const context = await contextOf(world, check)
  // Only background checks obey robots.txt, because a person who asks is not a crawler.
  const obeysRobots = check.askedBy === 'refresh'
  const captures = await lookAtSite(domain, tools, { obeysRobots, userAgent })
  const reading = await readCaptures(captures, { domain, ...context }, tools.reader)
  const seen = { domain, findings: reading.findings, captures }
  const isRead = reading.outcome.reason === null
  const logo = isRead ? await fetchLogo(seen, tools, { userAgent, leftMs: leftMs() - storeMs }) : null
  const stored = await storeBodies(files, captures)
  return { stored, reading, logo, files, now: now(), wasLicensed: context.licensed }
}

function reportOf(
  { checkId, domain, startedAt, requestedAt }: ClaimedCheck,
  { outcome, findings }: Pick<CaptureReading, 'outcome' | 'findings'>,
  now: Date,
): CheckReport {
  const waitedMs = Math.max(0, startedAt.getTime() - requestedAt.getTime())
  return { checkId, domain, outcome, findings, waitedMs, lookedMs: now.getTime() - startedAt.getTime() }
}

async function contextOf({ database }: World, { domainId, startedAt }: ClaimedCheck) {
  return {
    licensed: await isEligible(database, domainId),
    earlierLive: await wasLive(database, domainId, startedAt),
    renderedLaunch: await lastRenderedLaunch(database, domainId, startedAt),
  }
}

type Seen = {
  stored: readonly StoredCapture[]
  reading: CaptureReading
  logo: FoundLogo | null
  files: FileStore
  now: Date
  wasLicensed: boolean
}

type Storing = Seen & { signal: AbortSignal; leftMs(): number }

async function storeCheck(tx: Transaction, check: ClaimedCheck, storing: Storing): Promise<void> {
  const { stored, reading, logo, files, now, wasLicensed, signal, leftMs } = storing
  const { checkId, domainId, domain } = check
  // A bucket may be slow, so bodies are stored before the lock of all writers.
  if (logo !== null) await untilAborted(storeSiteImage(tx, logo, files), signal)
  await waitForFacts(tx, leftMs())
  const ids = await insertCaptures(tx, checkId, stored)
  const captures = stored.map(({ seenAt }, position) => ({ id: ids[position] as number, seenAt }))
  const { findings, rulesVersion } = reading
  const readingId = await insertReading(tx, {
    checkId,
    wasLicensed,
    domainId,
    rulesVersion,
    readAt: now,
    findings,
    captures,
  })
  await finishCheck(tx, check, {
    failure: reading.outcome.reason,
    readingId,
    now,
    apply: async () => {
      if (logo !== null) await upsertSiteLogo(tx, { domainId, domain }, logo, now)
      await applyReading(tx, { checkId, domainId, now })
    },
  })
}
