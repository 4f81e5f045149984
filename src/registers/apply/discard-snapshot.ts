import { StaffError } from '../../core/staff-error.ts'
import type { Transaction, World } from '../../database/open.ts'
import { type Actor, recordAuditEvent } from '../../features/audit/index.ts'
import { applyBrandDomains } from '../../features/brands/index.ts'
import { deriveCompanies, reviewLinks } from '../../features/companies/index.ts'
import { endFactChange } from '../../features/facts/index.ts'
import { retractSignals } from '../../features/signals/index.ts'
import { linkSignals } from '../../features/verdict-changes/index.ts'
import { lockFacts, recordEvent } from '../../journal/index.ts'
import { readAffectedDomains, relateLicensees } from '../changes/domains-store.ts'
import { restoreIdentities } from '../licensees/restore-identities.ts'
import {
  type DiscardableSnapshot,
  findDiscardable,
  type PreviousSnapshot,
  readCurrentRef,
  readTakenBefore,
  writeDiscard,
} from '../snapshot/discarded-store.ts'
import { endQuarantine } from '../snapshot/quarantine-store.ts'
import { refusalFromError } from './refusal-from-error.ts'
import {
  type AppliedFacts,
  deleteIdentities,
  gatherTouched,
  reassignCompanies,
  reverseRows,
  unmarkOperators,
} from './reverse-facts-store.ts'
import { writeRun } from './runs-store.ts'
import { staffReason } from './staff-reason.ts'
import { lockStream, prepareTransaction } from './sync-transaction-store.ts'

const waitMsMax = 240_000

export type DiscardReport = {
  stream: string
  snapshot_ref: string
  status: 'discarded'
  /** Is false for a quarantined snapshot, which caused no facts and Signals. */
  was_applied: boolean
  /** The snapshot that the stream uses now; null when it is empty. */
  current_ref: string | null
  taken_at: Date | null
  /** The number of correcting Signals. */
  signals: number
}

type DiscardRequest = { snapshotRef: string; reason: string; now: Date; by?: Actor }

/**
 * Reverses the latest applied snapshot of a stream: its facts go, and a correcting Signal follows each of
 * its Signals. For a quarantined snapshot, only the quarantine ends. Throws a StaffError for any other
 * snapshot, and changes nothing then.
 */
export async function discardSnapshot(world: World, request: DiscardRequest): Promise<DiscardReport> {
  const reason = staffReason(request.reason, 'a discard')
  try {
    return await world.database.transaction().execute(tx => discardLocked(tx, { ...request, reason }))
  } catch (error) {
    if (error instanceof StaffError) throw error
    throw new StaffError(refusalFromError(error).message, { cause: error })
  }
}

async function discardLocked(
  tx: Transaction,
  { snapshotRef, reason, now, by }: DiscardRequest,
): Promise<DiscardReport> {
  const start = performance.now()
  await prepareTransaction(tx, waitMsMax)
  await lockStream(tx, (await requireDiscardable(tx, snapshotRef)).stream)
  // The check is repeated, because another discard or sync may have ended while this one waited.
  const snapshot = await requireDiscardable(tx, snapshotRef)
  const { id, stream, appliedAt } = snapshot
  const outcome =
    appliedAt === null
      ? { ...(await endQuarantine(tx, { id, stream, reason, now })), signals: 0 }
      : await discardLatest(tx, { ...snapshot, appliedAt }, { reason, now })
  const finishedAt = new Date(now.getTime() + Math.round(performance.now() - start))
  const run = { stream, startedAt: now, finishedAt, snapshotId: id, reasons: [`discarded: ${reason}`] }
  await writeRun(tx, { ...run, status: 'discarded' })
  const event = { action: 'snapshot.discarded', subject: snapshotRef, accountId: null, now }
  await recordAuditEvent(tx, by, { ...event, details: { reason } })
  return {
    stream,
    snapshot_ref: snapshotRef,
    status: 'discarded',
    was_applied: appliedAt !== null,
    current_ref: outcome.ref,
    taken_at: outcome.takenAt,
    signals: outcome.signals,
  }
}

async function discardLatest(
  tx: Transaction,
  snapshot: AppliedSnapshot,
  { reason, now }: { reason: string; now: Date },
): Promise<PreviousSnapshot & { signals: number }> {
  await lockFacts(tx)
  const takenBefore = await readTakenBefore(tx, snapshot)
  const at = new Date(Math.max(now.getTime(), snapshot.appliedAt.getTime() + 1))
  const { previous, signals } = await discard(tx, snapshot, { takenBefore, reason, now: at })
  return { ...previous, signals }
}

async function requireDiscardable(tx: Transaction, ref: string): Promise<DiscardableSnapshot> {
  const snapshot = await findDiscardable(tx, ref)
  if (snapshot === undefined) throw new StaffError(`There is no snapshot ${ref}.`)
  const { status, stream, currentRef, discardedBecause } = snapshot
  if (status === 'discarded') throw new StaffError(`${ref} has already been discarded: ${discardedBecause}`)
  if (status === 'superseded') throw new StaffError(`${ref} was superseded, so there is nothing to discard.`)
  if (status === 'applied' && currentRef !== ref)
    throw new StaffError(`${ref} is not the latest snapshot of ${stream}. Discard ${currentRef} first.`)
  return snapshot
}

type AppliedSnapshot = DiscardableSnapshot & { appliedAt: Date }

async function requireApplied(tx: Transaction, ref: string): Promise<AppliedSnapshot> {
  const { appliedAt, ...snapshot } = await requireDiscardable(tx, ref)
  if (appliedAt === null) throw new Error(`The snapshot ${ref} was not applied.`)
  return { ...snapshot, appliedAt }
}

/** The content of a `discard` event in the journal. */
type RecordedDiscard = { stream: string; taken_at: string | null; reason: string }

export async function replayDiscard(world: World, recorded: RecordedDiscard, at: Date): Promise<void> {
  const { stream, taken_at, reason } = recorded
  await world.database.transaction().execute(async tx => {
    await prepareTransaction(tx, waitMsMax)
    await lockStream(tx, stream)
    const snapshot = await requireApplied(tx, await readCurrentRef(tx, stream))
    await lockFacts(tx)
    await discard(tx, snapshot, {
      takenBefore: taken_at === null ? null : new Date(taken_at),
      reason,
      now: at,
    })
  })
}

type Discard = { takenBefore: Date | null; reason: string; now: Date }

async function discard(tx: Transaction, snapshot: AppliedSnapshot, { takenBefore, reason, now }: Discard) {
  const { id, stream, appliedAt, market, covers } = snapshot
  const facts = { stream: { key: stream, market }, appliedAt, now }
  await gatherTouched(tx, facts)
  await reverseRows(tx, facts)
  const companyIds = await reverseCompanies(tx, facts)
  if (covers.includes('register')) await relateLicensees(tx, facts)
  companyIds.push(...(await unmarkOperators(tx, facts)))
  await reviewLinks(tx, companyIds, now)
  await deriveCompanies(tx, companyIds, now)
  const ofBrands = await applyBrandDomains(tx, { market, now })
  await endFactChange(tx, {
    domainIds: [...(await readAffectedDomains(tx)), ...ofBrands],
    cause: { cause: 'register', isCorrection: true, occurredAt: now, now },
  })
  const previous = await writeDiscard(tx, { id, stream, takenBefore, reason, now })
  const detail: RecordedDiscard = { stream, taken_at: previous.takenAt?.toISOString() ?? null, reason }
  await recordEvent(tx, { kind: 'discard', at: now, snapshotId: id, detail })
  const signals = await retractSignals(tx, { stream, snapshotId: id, now })
  await linkSignals(tx, { snapshotId: id, isDiscard: true })
  return { previous, signals }
}

async function reverseCompanies(tx: Transaction, facts: AppliedFacts): Promise<number[]> {
  const deleted = await deleteIdentities(tx, facts)
  const restored = await restoreIdentities(tx, facts)
  await reassignCompanies(tx, facts)
  return [...deleted, ...restored]
}
