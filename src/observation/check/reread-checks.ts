import type { FileStore } from '@baize/files'
import { readCaptures, rulesVersion } from '@baize/site-reader'
import type { World } from '../../database/open.ts'
import { lastRenderedLaunch, wasLive } from '../../features/domains/index.ts'
import { applyReading } from './apply-reading.ts'
import { loadCaptures } from './capture-bodies.ts'
import { type CheckToRead, checksToReread, insertReading, reviveReading } from './findings-store.ts'
import { waitForFacts } from './wait-for-facts-store.ts'

const checksAtOnce = 100
const factsWaitMsMax = 5 * 60_000

export type RereadReport = {
  reread: number
  /** The number of checks with a missing body, whose earlier reading stays in force. */
  unreadable: number
}

/**
 * Reads stored captures again with today's rules, oldest first. Findings keep the dates of their captures;
 * the outcome and the charge of a check stay.
 */
export async function rereadChecks(
  world: World,
  files: FileStore,
  { now, onProgress = () => {} }: { now: () => Date; onProgress?: (reread: number) => void },
): Promise<RereadReport> {
  const report = { reread: 0, unreadable: 0 }
  let after = 0
  for (;;) {
    const checks = await checksToReread(world.database, rulesVersion(), after, checksAtOnce)
    for (const check of checks) {
      if (await rereadCheck(world, files, check, now())) report.reread += 1
      else report.unreadable += 1
      onProgress(report.reread)
    }
    const last = checks.at(-1)
    if (last === undefined) return report
    after = last.check_id
  }
}

async function rereadCheck(world: World, files: FileStore, check: CheckToRead, now: Date): Promise<boolean> {
  const { check_id: checkId, domain_id: domainId, domain } = check
  const { database } = world
  const captures = await loadCaptures(database, files, checkId)
  if (captures === null) return false
  const reading = await readCaptures(captures, {
    domain,
    licensed: check.was_licensed,
    earlierLive: await wasLive(database, domainId, check.started_at),
    renderedLaunch: await lastRenderedLaunch(database, domainId, check.started_at),
  })
  await database.transaction().execute(async tx => {
    await waitForFacts(tx, factsWaitMsMax)
    const { findings, rulesVersion: version } = reading
    if (!(await reviveReading(tx, checkId, version)))
      await insertReading(tx, { checkId, domainId, rulesVersion: version, readAt: now, findings, captures })
    await applyReading(tx, { checkId, domainId, now })
  })
  return true
}
