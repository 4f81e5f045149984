import type { FileStore } from '../../core/file-store.ts'
import type { Transaction, World } from '../../database/open.ts'
import { isEligible, wasLive } from '../../features/domains/index.ts'
import { type ClaimedCheck, claimCheck, finishCheck } from '../../features/enrichments/index.ts'
import type { CheckOutcome, Finding } from '../finding.ts'
import { LargePlace } from '../look/large-place.ts'
import { type LookTools, lookAtSite } from '../look/look-at-site.ts'
import { type CaptureReading, readCaptures } from '../read/read-captures.ts'
import { applyReading } from './apply-reading.ts'
import { storeBodies } from './capture-bodies.ts'
import { insertCaptures, type StoredCapture } from './captures-store.ts'
import { insertReading } from './findings-store.ts'
import { type FoundLogo, fetchLogo, storeLogoFile, upsertLogo } from './site-logo.ts'
import { waitForFacts } from './wait-for-facts-store.ts'

export type CheckOptions = {
  world: World
  files: FileStore
  tools: LookTools
  userAgent: string
  now: () => Date
}

export type CheckReport = {
  checkId: number
  domain: string
  outcome: CheckOutcome
  findings: readonly Finding[]
  /** From the request to its start. */
  waitedMs: number
  /** Of looking and reading. */
  lookedMs: number
}

/**
 * Looks at the site of a check and stores what was received, what was read from it and what follows, with
 * the charge, in one transaction. null: it is finished already.
 */
export async function runCheck(checkId: number, options: CheckOptions): Promise<CheckReport | null> {
  const check = await claimCheck(options.world.database, checkId, options.now())
  if (check === null) return null
  const large = new LargePlace()
  try {
    return await lookAndStore(check, { ...options, tools: { ...options.tools, large } })
  } finally {
    large.release()
  }
}

async function lookAndStore(check: ClaimedCheck, options: CheckOptions): Promise<CheckReport> {
  const { world, files, tools, userAgent, now } = options
  const { checkId, domain } = check
  const context = await contextOf(world, check)
  // A person who asks is not a crawler.
  const obeysRobots = check.askedBy === 'refresh'
  const captures = await lookAtSite(domain, tools, { obeysRobots, userAgent })
  const reading = await readCaptures(captures, { domain, ...context })
  const seen = { domain, findings: reading.findings, captures }
  const logo = reading.outcome.reason === null ? await fetchLogo(seen, tools, userAgent) : null
  const lookedMs = now().getTime() - check.startedAt.getTime()
  const stored = await storeBodies(files, captures)
  await world.database
    .transaction()
    .execute(tx =>
      storeCheck(tx, { check, stored, reading, logo, files, now: now(), wasLicensed: context.licensed }),
    )
  const { outcome, findings } = reading
  const waitedMs = Math.max(0, check.startedAt.getTime() - check.requestedAt.getTime())
  return { checkId, domain, outcome, findings, waitedMs, lookedMs }
}

async function contextOf({ database }: World, { domainId, startedAt }: ClaimedCheck) {
  return {
    licensed: await isEligible(database, domainId),
    earlierLive: await wasLive(database, domainId, startedAt),
  }
}

type Seen = {
  check: ClaimedCheck
  stored: readonly StoredCapture[]
  reading: CaptureReading
  logo: FoundLogo | null
  files: FileStore
  now: Date
  wasLicensed: boolean
}

async function storeCheck(tx: Transaction, seen: Seen) {
  const { check, stored, reading, logo, files, now, wasLicensed } = seen
  const { checkId, domainId, domain } = check
  // Before the lock of all writers: a bucket may be slow.
  if (logo !== null) await storeLogoFile(tx, logo, files)
  await waitForFacts(tx)
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
      if (logo !== null) await upsertLogo(tx, logo, { domainId, domain, seenAt: now })
      await applyReading(tx, { checkId, domainId, now })
    },
  })
}
