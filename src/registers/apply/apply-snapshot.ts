import type { RecordTally } from '@baize/registers/guard'
import { type DifferencesByKind, hasRows, reportedDifferences } from '@baize/registers/guard'
import type { Transaction } from '../../database/open.ts'
import { applyBrandDomains } from '../../features/brands/index.ts'
import { findCandidates, reviewLinks } from '../../features/companies/index.ts'
import type { VerdictCause } from '../../features/domains/index.ts'
import { analyseLargeChange, endFactChange } from '../../features/facts/index.ts'
import {
  addPlatformSignals,
  correctSignals,
  numberSignals,
  type RegisterChangeDraft,
} from '../../features/signals/index.ts'
import { linkSignals } from '../../features/verdict-changes/index.ts'
import { recordEvent } from '../../journal/index.ts'
import { applyAuthorisations, readInferredDomains } from '../changes/authorisations-store.ts'
import { deriveSignals, type Observation } from '../changes/derive-signals.ts'
import { describeChanges } from '../changes/describe-changes-store.ts'
import {
  insertDomains,
  lockAffectedDomains,
  readAffectedDomains,
  relateLicensees,
} from '../changes/domains-store.ts'
import { applyEntries } from '../changes/entries-store.ts'
import { applyLicensees } from '../changes/licensees-store.ts'
import { applyLicenses } from '../changes/licenses-store.ts'
import { readChanges, readCorrectedKeys } from '../changes/record-changes-store.ts'
import { countRemovals } from '../guard/removal-history-store.ts'
import { applyCompanies, markOperators } from '../licensees/companies-store.ts'
import type { SnapshotToStore } from '../snapshot/snapshot.ts'
import { type NumberedSnapshot, writeSnapshot } from '../snapshot/snapshot-store.ts'
import type { IncomingSnapshot } from './incoming-snapshot.ts'
import { recordedStream, type SnapshotDetail } from './recorded-stream.ts'
import type { SyncOutcome } from './sync-report.ts'

const domainsAtOnceMax = 10_000

export type SnapshotToApply = {
  snapshot: IncomingSnapshot
  differences: DifferencesByKind
  tally: RecordTally
  toStore: Omit<SnapshotToStore, 'added' | 'removed' | 'changed'>
}

type AppliedOutcome = { snapshotId: number; outcome: SyncOutcome }

/**
 * Applies a snapshot. Changes become Signals; a correction marks existing Signals instead; a baseline
 * leaves Signals as they are.
 */
export async function applySnapshot(tx: Transaction, toApply: SnapshotToApply): Promise<AppliedOutcome> {
  const { snapshot, differences, toStore } = toApply
  const { now, emitsSignals, isCorrection } = snapshot
  if (emitsSignals) await describeChanges(tx, snapshot, differences)
  const removals = await countRemovals(tx, snapshot.stream.key, differences)
  const { domainIds, linked, candidates } = await applyDifferences(tx, toApply)
  const counts = reportedDifferences(differences)
  const stored = await writeSnapshot(tx, { ...toStore, ...counts, figures: { ...toStore.figures, removals } })
  await recordSnapshot(tx, snapshot, stored.id)
  let signals = 0
  if (emitsSignals && isCorrection) await markCorrected(tx, snapshot)
  else if (emitsSignals) signals = await emitSignals(tx, toApply, stored)
  if (signals > 0) await linkSignals(tx, { snapshotId: stored.id })
  // The operator of a platform site is derived, because this register may be the first to name it.
  for (let start = 0; start < domainIds.length; start += domainsAtOnceMax)
    await addPlatformSignals(tx, { domainIds: domainIds.slice(start, start + domainsAtOnceMax), now })
  return {
    snapshotId: stored.id,
    outcome: { status: 'applied', snapshot_ref: stored.ref, ...counts, signals, linked, candidates },
  }
}

async function recordSnapshot(tx: Transaction, snapshot: IncomingSnapshot, snapshotId: number) {
  const { stream, now, emitsSignals, followsGap } = snapshot
  const detail: SnapshotDetail = {
    stream: recordedStream(stream),
    emits_signals: emitsSignals,
    follows_gap: followsGap,
  }
  await recordEvent(tx, { kind: 'snapshot', at: now, snapshotId, detail })
}

async function emitSignals(
  tx: Transaction,
  { snapshot, differences }: SnapshotToApply,
  { id, number }: NumberedSnapshot,
): Promise<number> {
  const { stream, takenAt, previousTakenAt, now, isBackfill, followsGap } = snapshot
  if (previousTakenAt === null) return 0
  const observed = {
    stream,
    snapshotId: id,
    snapshotNumber: number,
    takenAt,
    previousTakenAt,
    detectedAt: now,
    isBackfill: isBackfill || followsGap,
    inferredDomains: hasRows(differences.authorisation) ? await readInferredDomains(tx) : new Set<string>(),
  }
  return numberSignals(tx, drafts(tx, observed))
}

async function* drafts(tx: Transaction, observed: Observation): AsyncGenerator<RegisterChangeDraft, void> {
  for await (const change of readChanges(tx, observed.stream.key)) yield* deriveSignals(change, observed)
}

async function markCorrected(tx: Transaction, { stream, now }: IncomingSnapshot): Promise<void> {
  for (const recordKind of ['license', 'licensee', 'authorisation', 'blocklist_entry'] as const) {
    const recordKeys = await readCorrectedKeys(tx, recordKind)
    await correctSignals(tx, { stream: stream.key, recordKind, recordKeys, correctedAt: now })
  }
}

/** Returns the domains whose verdict may have changed. The fixed order avoids deadlocks. */
async function applyDifferences(
  tx: Transaction,
  { snapshot, differences, tally }: SnapshotToApply,
): Promise<{ domainIds: number[]; linked: Record<string, number>; candidates: number }> {
  await insertDomains(tx, differences)
  await lockAffectedDomains(tx, differences)
  if (hasRows(differences.licensee)) await applyLicensees(tx, snapshot)
  const applied = await applyCompanies(tx, snapshot, { changesDomains: hasRows(differences.authorisation) })
  const { changed, unlinked, linked, seeks, domainIds: joined, companyIds } = applied
  for (const { notice, count, examples } of unlinked) tally.addNotices(notice, count, examples)
  if (hasRows(differences.license)) await applyLicenses(tx, snapshot)
  if (hasRows(differences.authorisation)) await applyAuthorisations(tx, snapshot)
  if (hasRows(differences.blocklist_entry)) await applyEntries(tx, snapshot)
  const affected = await readAffectedDomains(tx)
  const domainIds = joined.length === 0 ? affected : [...new Set([...affected, ...joined])].sort(byNumber)
  if (snapshot.stream.covers.includes('register')) {
    await analyseLargeChange(tx, affected.length)
    if (affected.length > 0) await relateLicensees(tx, snapshot)
    await markOperators(tx, snapshot)
  }
  if (hasRows(differences.license) || hasRows(differences.licensee)) {
    const { stream, now } = snapshot
    domainIds.push(...(await applyBrandDomains(tx, { market: stream.market, now })))
  }
  await reviewLinks(tx, companyIds, snapshot.now)
  const candidates = seeks ? await findCandidates(tx, snapshot.now) : 0
  const isWritten = Object.values(differences).some(hasRows)
  if (isWritten || domainIds.length + changed > 0)
    await endFactChange(tx, { domainIds, cause: causeOf(snapshot) })
  return { domainIds, linked, candidates }
}

function causeOf({ takenAt, previousTakenAt, now, ...snapshot }: IncomingSnapshot): VerdictCause {
  const isNews = previousTakenAt !== null && !snapshot.isBackfill && !snapshot.followsGap
  const cause = isNews ? 'register' : 'coverage'
  return { cause, isCorrection: snapshot.isCorrection, occurredAt: takenAt, now }
}

const byNumber = (one: number, other: number) => one - other
