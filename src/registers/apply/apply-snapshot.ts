import type { Transaction } from '../../database/open.ts'
import { endFactChange } from '../../features/facts/index.ts'
import {
  addPlatformSignals,
  correctSignals,
  numberSignals,
  type RegisterChangeDraft,
} from '../../features/signals/index.ts'
import { recordEvent } from '../../journal/index.ts'
import type { SnapshotToStore } from '../snapshot/snapshot.ts'
import { type NumberedSnapshot, writeSnapshot } from '../snapshot/snapshot-store.ts'
import type { Tally } from '../snapshot/tally.ts'
import { applyAuthorisations, readInferredDomains } from './authorisations-store.ts'
import { applyCompanies, markOperators } from './companies-store.ts'
import { deriveSignals, type Observation } from './derive-signals.ts'
import { describeChanges } from './describe-changes-store.ts'
import { type Differences, type DifferencesByKind, reportedDifferences, sumOf } from './differences.ts'
import { insertDomains, lockAffectedDomains, readAffectedDomains, relateLicensees } from './domains-store.ts'
import { applyEntries } from './entries-store.ts'
import type { IncomingSnapshot } from './incoming-snapshot.ts'
import { applyLicensees } from './licensees-store.ts'
import { applyLicenses } from './licenses-store.ts'
import { findUnlinked } from './link-licensees-store.ts'
import { readChanges, readCorrectedKeys } from './record-changes-store.ts'
import { recordedStream } from './recorded-stream.ts'
import type { SyncOutcome } from './sync-report.ts'

const domainsAtOnceMax = 10_000

export type SnapshotToApply = {
  snapshot: IncomingSnapshot
  differences: DifferencesByKind
  tally: Tally
  toStore: Omit<SnapshotToStore, 'added' | 'removed' | 'changed'>
}

type AppliedOutcome = { snapshotId: number; outcome: SyncOutcome }

/** Changes become Signals; a correction marks existing ones instead; a baseline does neither. */
export async function applySnapshot(tx: Transaction, toApply: SnapshotToApply): Promise<AppliedOutcome> {
  const { snapshot, differences, toStore } = toApply
  const { now, emitsSignals, isCorrection } = snapshot
  if (emitsSignals) await describeChanges(tx, snapshot)
  const domainIds = await applyDifferences(tx, toApply)
  const counts = reportedDifferences(differences)
  const stored = await writeSnapshot(tx, { ...toStore, ...counts })
  await recordSnapshot(tx, snapshot, stored.id)
  let signals = 0
  if (emitsSignals && isCorrection) await markCorrected(tx, snapshot)
  else if (emitsSignals) signals = await emitSignals(tx, snapshot, stored)
  // This register may be the first to name the operator of a platform site.
  for (let start = 0; start < domainIds.length; start += domainsAtOnceMax)
    await addPlatformSignals(tx, { domainIds: domainIds.slice(start, start + domainsAtOnceMax), now })
  return {
    snapshotId: stored.id,
    outcome: { status: 'applied', snapshot_ref: stored.ref, ...counts, signals },
  }
}

/** The keys of `detail` are stored: a replay reads them (replay-snapshot.ts). */
async function recordSnapshot(tx: Transaction, snapshot: IncomingSnapshot, snapshotId: number) {
  const { stream, now, emitsSignals, returnsByRecordKey = false, entriesOfAll = false } = snapshot
  const misprints = snapshot.withdrawsNone ? {} : { misprints: 'withdrawn' }
  const returns = returnsByRecordKey ? {} : { returns: 'of_objects' }
  const entries = entriesOfAll ? {} : { entries: 'of_new' }
  const gap = snapshot.followsGap ? { gap: 'followed' } : {}
  const detail = {
    stream: recordedStream(stream),
    tells: emitsSignals,
    ...returns,
    ...entries,
    ...misprints,
    ...gap,
  }
  await recordEvent(tx, { kind: 'snapshot', at: now, snapshotId, detail })
}

async function emitSignals(
  tx: Transaction,
  { stream, takenAt, previousTakenAt, now, isBackfill, followsGap, entriesOfAll = false }: IncomingSnapshot,
  { id, number }: NumberedSnapshot,
): Promise<number> {
  if (previousTakenAt === null) return 0
  const observed = {
    stream,
    snapshotId: id,
    snapshotNumber: number,
    takenAt,
    previousTakenAt,
    detectedAt: now,
    isBackfill: isBackfill || followsGap,
    entriesOfAll,
    inferredDomains: await readInferredDomains(tx),
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
): Promise<number[]> {
  await insertDomains(tx)
  await lockAffectedDomains(tx)
  await applyLicensees(tx, snapshot)
  const companies = await applyCompanies(tx, snapshot)
  for (const { notice, count, examples } of await findUnlinked(tx)) tally.addNotices(notice, count, examples)
  await applyLicenses(tx, snapshot)
  await applyAuthorisations(tx, snapshot)
  await applyEntries(tx, snapshot)
  if (snapshot.stream.covers.includes('register')) {
    await relateLicensees(tx, snapshot)
    await markOperators(tx, snapshot)
  }
  const domainIds = await readAffectedDomains(tx)
  const written = totalOf(sumOf(Object.values(differences)))
  if (domainIds.length + written + companies > 0) await endFactChange(tx, { domainIds })
  return domainIds
}

const totalOf = ({ added, removed, changed, restated }: Differences) => added + removed + changed + restated
