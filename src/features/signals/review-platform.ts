import type { Transaction, World } from '../../database/open.ts'
import { recordEvent } from '../../journal/index.ts'
import { endFactChange } from '../facts/index.ts'
import { type LockLimits, withFactsLock } from '../staff-decision-store.ts'
import { addPlatformSignals } from './add-platform-signals.ts'
import { findPlatformByKey, writeReview } from './platforms-store.ts'

/**
 * A review tells what years of readings held, and waits longer than the longest sync that may stand before it
 * (docs/registers.md).
 */
const reviewPatience: LockLimits = { lockWaitMsMax: 240_000, statementMsMax: 10 * 60_000 }

/** `detail` of the event in the history. */
export type RecordedReview = { platform_key: string; reviewed: boolean }

export type ReviewReport = {
  platform_key: string
  name: string
  reviewed: boolean
  /** false: it was so already, and nothing was done. */
  changed: boolean
  signals: number
}

/**
 * Says that a person has reviewed a vendor as a platform, or takes that back. From a review on the platform is published
 * (§2.9), and the readings that are held already are told; what was told stays told when a review is taken back, for a
 * feed is never rewritten. undefined: there is no platform of that key.
 */
export function reviewPlatform(
  world: World,
  key: string,
  now: Date,
  { reviewed = true } = {},
): Promise<ReviewReport | undefined> {
  const review = async (tx: Transaction) => {
    const report = await applyReview(tx, key, reviewed, now)
    if (report?.changed) {
      const detail: RecordedReview = { platform_key: key, reviewed }
      await recordEvent(tx, { kind: 'review', at: now, detail })
    }
    return report
  }
  return withFactsLock(world, review, reviewPatience)
}

/** A recorded review, done again where it came in the history; nothing is recorded. */
export async function replayReview(
  world: World,
  { platform_key: key, reviewed }: RecordedReview,
  at: Date,
): Promise<void> {
  const report = await withFactsLock(world, tx => applyReview(tx, key, reviewed, at), reviewPatience)
  if (report === undefined) throw new Error(`the history reviews ${key}, of which it has not told before`)
}

async function applyReview(
  tx: Transaction,
  key: string,
  reviewed: boolean,
  now: Date,
): Promise<ReviewReport | undefined> {
  const platform = await findPlatformByKey(tx, key)
  if (platform === undefined) return undefined
  const report = { platform_key: key, name: platform.name, reviewed }
  if ((platform.reviewed_at !== null) === reviewed) return { ...report, changed: false, signals: 0 }
  await writeReview(tx, platform.id, reviewed ? now : null)
  await endFactChange(tx)
  const { signals } = await addPlatformSignals(tx, { platformId: platform.id, now })
  return { ...report, changed: true, signals }
}
