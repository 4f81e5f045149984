import type { Database, Transaction } from '../../database/open.ts'
import { endFactChange } from '../../features/facts/index.ts'
import {
  addPlatformSignals,
  correctSignals,
  numberSignals,
  type RegisterChangeDraft,
} from '../../features/signals/index.ts'
import { recordEvent } from '../../journal/index.ts'
import { FigureCounter, type Figures } from '../snapshot/figures.ts'
import { type AppliedSnapshot, type SnapshotToStore, writeSnapshot } from '../snapshot/snapshot-store.ts'
import { readSnapshot } from '../snapshot/stage-snapshot.ts'
import { countStaged, createStaging, dropRepeatedRecords, measureStaged } from '../snapshot/staging-store.ts'
import { storedRows } from '../snapshot/store-files.ts'
import type { Tally } from '../snapshot/tally.ts'
import { type Reading, Refusal, type Stream } from '../stream.ts'
import {
  applyAuthorisations,
  compareAuthorisations,
  findDanglingKeys,
  readInferredDomains,
} from './authorisations-store.ts'
import { applyCompanies, markOperators } from './companies-store.ts'
import { deriveSignals, type Observation } from './derive-signals.ts'
import { describeChanges } from './describe-changes-store.ts'
import { insertDomains, lockAffectedDomains, readAffectedDomains, relateLicensees } from './domains-store.ts'
import { applyEntries, compareEntries } from './entries-store.ts'
import { quarantineReasons } from './guard.ts'
import {
  countAuthorisedBlocked,
  countBlockedAuthorised,
  countInForce,
  countMissingTail,
  findMissing,
} from './guard-store.ts'
import {
  type DifferencesByKind,
  type IncomingSnapshot,
  type RecordKind,
  reported,
  sumOf,
} from './incoming-snapshot.ts'
import { applyLicensees, compareLicensees } from './licensees-store.ts'
import { applyLicenses, compareLicenses } from './licenses-store.ts'
import { findUnlinked } from './link-licensees-store.ts'
import { readChanges, readCorrectedKeys } from './record-changes-store.ts'
import type { SyncOutcome } from './sync-report.ts'

export type SyncProgress = { step: 'reading' | 'applying'; rows: number }

export type StagedSnapshot = { accepted: Record<string, number>; figures: Figures; rowsSha256: Buffer }

/** Reads a snapshot into tables that end with the transaction, keeps its rows, and refuses one that has none. */
export async function stageSnapshot(
  tx: Transaction,
  readings: AsyncIterable<Reading>,
  tally: Tally,
  onProgress: (progress: SyncProgress) => void = () => {},
): Promise<StagedSnapshot> {
  await createStaging(tx)
  const counter = new FigureCounter()
  const { rowsSha256 } = await readSnapshot(tx, readings, tally, counter, rows =>
    onProgress({ step: 'reading', rows }),
  )
  tally.addRejects('duplicate', await dropRepeatedRecords(tx))
  const accepted = await countStaged(tx)
  if (Object.keys(accepted).length === 0) throw new Refusal(noneAccepted(tally))
  for (const { named, count, examples } of await findDanglingKeys(tx)) {
    tally.addNotices(`names a ${named} that the snapshot does not have`, count, examples)
  }
  return { accepted, figures: counter.total(tally, await measureStaged(tx)), rowsSha256 }
}

function noneAccepted({ rows, rejectedByReason }: Tally): string {
  const reasons = Object.entries(rejectedByReason).map(([reason, count]) => `${reason} ${count}`)
  return `none of ${rows} rows could be used${reasons.length === 0 ? '' : `: ${reasons.join(', ')}`}`
}

/** What the staged rows would change, in the `_changes` tables; nothing else is written. */
export async function compareSnapshot(
  tx: Transaction,
  snapshot: IncomingSnapshot,
): Promise<DifferencesByKind> {
  return {
    licensee: await compareLicensees(tx, snapshot),
    license: await compareLicenses(tx, snapshot),
    authorisation: await compareAuthorisations(tx, snapshot),
    blocklist_entry: await compareEntries(tx, snapshot),
  }
}

export type Weighing = {
  snapshot: IncomingSnapshot
  figures: Figures
  differences: DifferencesByKind
  last: AppliedSnapshot | undefined
  endsInsideLine: string | null
}

/** Weighs a compared snapshot against the last one: why it must not be applied before a person has looked. */
export async function weighSnapshot(
  tx: Transaction,
  database: Database,
  { snapshot, figures, differences, last, endsInsideLine }: Weighing,
): Promise<string[]> {
  const { stream, isCorrection } = snapshot
  return quarantineReasons({
    figures,
    last: last?.figures ?? null,
    differences,
    inForce: await countInForce(tx, stream.key),
    tailsMissing: isCorrection ? [] : await findMissingTails(tx, database, last),
    authorisedBlocked: await countAuthorisedBlocked(tx, stream),
    blockedAuthorised: await countBlockedAuthorised(tx, stream),
    endsInsideLine,
    isCorrection,
  })
}

async function findMissingTails(tx: Transaction, database: Database, last: AppliedSnapshot | undefined) {
  if (last?.figures == null || last.rowsSha256 === null) return []
  const lastRecords = Object.entries(last.figures.lastKeys) as [RecordKind, string][]
  const suspects = await findMissing(
    tx,
    lastRecords.map(([kind, recordKey]) => ({ kind, recordKey })),
  )
  const tails: { kind: RecordKind; missing: number; run: number }[] = []
  for (const kind of suspects)
    tails.push({ kind, ...(await countMissingTail(tx, kind, storedRows(database, last.rowsSha256))) })
  return tails
}

/** `rows`: those of the files. Kept rows are the ones among them that could be used. */
export function noteFewRows(tally: Tally, { rowsMin }: Stream, rows: number): void {
  if (rows >= rowsMin) return
  tally.addNotices(`fewer rows than a complete snapshot has (${rowsMin})`, 1, [String(rows)])
}

/** Real lists double; somebody may still want to look. */
const growthTold = 2

/** What is worth telling of a snapshot that is not held for it. */
export function noteGrowth(tally: Tally, figures: Figures, last: Figures | null): void {
  if (last === null || figures.rows <= last.rows * growthTold) return
  tally.addNotices('grew to more than twice the rows', 1, [`${last.rows} to ${figures.rows}`])
}

/** Domains a statement. */
const domainsAtOnceMax = 10_000

/**
 * Makes the held facts say what the compared snapshot says, and tells what changed: as numbered Signals, or, where a
 * newer parser corrects an older reading, as a mark on the Signals of those records. A baseline tells nothing.
 */
export async function applySnapshot(
  tx: Transaction,
  snapshot: IncomingSnapshot,
  differences: DifferencesByKind,
  tally: Tally,
  toWrite: (counts: { added: number; removed: number; changed: number }) => SnapshotToStore,
): Promise<Omit<SyncOutcome, 'accepted'> & { snapshotId: number }> {
  const { stream, now, takenAt, previousTakenAt, tells, returnsByRecordKey = false } = snapshot
  if (tells) await describeChanges(tx, snapshot)
  const domainIds = await applyDifferences(tx, snapshot, differences, tally)
  const { added, removed, changed } = reported(differences)
  const { id, ref, number } = await writeSnapshot(tx, toWrite({ added, removed, changed }))
  await recordEvent(tx, {
    kind: 'snapshot',
    at: now,
    snapshotId: id,
    detail: { stream: factsOf(stream), tells, ...(returnsByRecordKey ? {} : { returns: 'of_objects' }) },
  })
  let signals = 0
  if (tells && snapshot.isCorrection) await markCorrected(tx, snapshot)
  else if (tells && previousTakenAt !== null) {
    const observed = {
      stream,
      snapshotId: id,
      snapshotNumber: number,
      takenAt,
      previousTakenAt,
      detectedAt: now,
      inferredDomains: await readInferredDomains(tx),
    }
    signals = await numberSignals(tx, drafts(tx, observed))
  }
  // A site on a reviewed platform, whose operator this register names first.
  for (let start = 0; start < domainIds.length; start += domainsAtOnceMax)
    await addPlatformSignals(tx, { domainIds: domainIds.slice(start, start + domainsAtOnceMax), now })
  return { status: 'applied', snapshot_ref: ref, snapshotId: id, added, removed, changed, signals }
}

/** What applying takes from a stream, as it was then: a replay must not depend on what the stream is by now. */
export type RecordedStream = Pick<
  Stream,
  'key' | 'market' | 'covers' | 'absenceRemoves' | 'infersHolders' | 'publishes' | 'regulator' | 'officialUrl'
>

function factsOf(stream: Stream): RecordedStream {
  const { key, market, covers, absenceRemoves, infersHolders, publishes, regulator, officialUrl } = stream
  return { key, market, covers, absenceRemoves, infersHolders, publishes, regulator, officialUrl }
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

/** Domains before Companies before facts, in every sync alike, so that the locks are taken in one order. */
async function applyDifferences(
  tx: Transaction,
  snapshot: IncomingSnapshot,
  byKind: DifferencesByKind,
  tally: Tally,
): Promise<number[]> {
  const found = sumOf(Object.values(byKind))
  const written = found.added + found.removed + found.changed + found.restated
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
  if (domainIds.length + written + companies > 0) await endFactChange(tx, { domainIds })
  return domainIds
}
