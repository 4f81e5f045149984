import type { Transaction, World } from '../../database/open.ts'
import { recordEvent } from '../../journal/index.ts'
import { type Actor, recordAuditEvent } from '../audit/index.ts'
import { endFactChange } from '../facts/index.ts'
import { type LockLimits, withFactsLock } from '../staff-decision-store.ts'
import { addPlatformSignals } from './add-platform-signals.ts'
import { findPlatformByKey, writeReview } from './platforms-store.ts'

/** A review may wait for the longest sync (docs/registers.md), and adds Signals for years of readings. */
const reviewPatience: LockLimits = { lockWaitMsMax: 240_000, statementMsMax: 10 * 60_000 }

type RecordedReview = { platform_key: string; reviewed: boolean }

type ReviewReport = {
  platform_key: string
  name: string
  reviewed: boolean
  changed: boolean
  signals: number
}

/**
 * Publishes the platform (§2.9) and adds Signals for its readings; undefined for an unknown platform key.
 * With `reviewed: false` it hides the platform, but removes no Signals, because a feed is never rewritten.
 */
export function reviewPlatform(
  world: World,
  key: string,
  now: Date,
  { reviewed = true, by }: { reviewed?: boolean; by?: Actor } = {},
): Promise<ReviewReport | undefined> {
  const review = async (tx: Transaction) => {
    const report = await applyReview(tx, key, reviewed, now)
    if (report?.changed) {
      const detail: RecordedReview = { platform_key: key, reviewed }
      await recordEvent(tx, { kind: 'review', at: now, detail })
      const action = reviewed ? 'platform.approved' : 'platform.withdrawn'
      const details = { signals: report.signals }
      await recordAuditEvent(tx, by, { action, subject: key, accountId: null, details, now })
    }
    return report
  }
  return withFactsLock(world, review, reviewPatience)
}

export async function replayReview(
  world: World,
  { platform_key: key, reviewed }: RecordedReview,
  at: Date,
): Promise<void> {
  const report = await withFactsLock(world, tx => applyReview(tx, key, reviewed, at), reviewPatience)
  if (report === undefined) throw new Error(`the history reviews the platform ${key} before it adds it`)
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
