import type { Transaction } from '../database/open.ts'
import { markDatasetChanged, recomputeVerdicts } from '../features/domains/index.ts'
import { applyAuthorisations, compareAuthorisations, findDanglingKeys } from './authorisations-store.ts'
import { applyCompanies, markOperators } from './companies-store.ts'
import {
  analyseFacts,
  insertDomains,
  lockAffectedDomains,
  readAffectedDomains,
  relateLicensees,
} from './domains-store.ts'
import { applyEntries, compareEntries } from './entries-store.ts'
import { type Differences, type IncomingSnapshot, sumOf } from './incoming-snapshot.ts'
import { applyLicenses, compareLicenses } from './licenses-store.ts'
import { readSnapshot } from './read-snapshot.ts'
import { lockApplying, writeSnapshot } from './snapshot-store.ts'
import { countStaged, createStaging, dropRepeatedRecords } from './staging-store.ts'
import { Refusal, type SourceFile } from './stream.ts'
import type { SyncOutcome } from './sync-report.ts'
import type { Tally } from './tally.ts'

export type SyncProgress = { step: 'reading' | 'applying'; rows: number }

/** Stages, compares and applies a snapshot, inside the transaction that holds the stream. */
export async function takeSnapshot(
  tx: Transaction,
  snapshot: IncomingSnapshot,
  files: readonly SourceFile[],
  contentSha256: Buffer,
  tally: Tally,
  onProgress: (progress: SyncProgress) => void = () => {},
): Promise<SyncOutcome & { snapshotId: number }> {
  await createStaging(tx)
  await readSnapshot(tx, snapshot.stream, files, tally, rows => onProgress({ step: 'reading', rows }))
  tally.addRejects('duplicate', await dropRepeatedRecords(tx))
  const accepted = await countStaged(tx)
  if (Object.keys(accepted).length === 0) throw new Refusal(noneAccepted(tally))
  for (const { named, count, examples } of await findDanglingKeys(tx)) {
    tally.addNotices(`names a ${named} that the snapshot does not have`, count, examples)
  }

  const differences = await compareSnapshot(tx, snapshot)
  tally.addNotices('license number moved alone', differences.restated)
  onProgress({ step: 'applying', rows: tally.rows })
  await applyDifferences(tx, snapshot, differences)

  const { rows, rejected, rejectedByReason } = tally
  const { added, removed, changed } = differences
  const figures = { contentSha256, rows, rejected, rejectedByReason, added, removed, changed }
  const { id, ref } = await writeSnapshot(tx, { ...snapshot, ...figures })
  return { status: 'applied', snapshot_ref: ref, snapshotId: id, accepted, added, removed, changed }
}

function noneAccepted({ rows, rejectedByReason }: Tally): string {
  const reasons = Object.entries(rejectedByReason).map(([reason, count]) => `${reason} ${count}`)
  return `none of ${rows} rows could be used${reasons.length === 0 ? '' : `: ${reasons.join(', ')}`}`
}

async function compareSnapshot(tx: Transaction, snapshot: IncomingSnapshot): Promise<Differences> {
  return sumOf([
    await compareLicenses(tx, snapshot),
    await compareAuthorisations(tx, snapshot),
    await compareEntries(tx, snapshot),
  ])
}

/** Domains before Companies before facts, in every sync alike, so that the locks are taken in one order. */
async function applyDifferences(
  tx: Transaction,
  snapshot: IncomingSnapshot,
  found: Differences,
): Promise<void> {
  await lockApplying(tx)
  await insertDomains(tx)
  await lockAffectedDomains(tx)
  const companies = await applyCompanies(tx, snapshot)
  await applyLicenses(tx, snapshot)
  await applyAuthorisations(tx, snapshot)
  await applyEntries(tx, snapshot)
  if (snapshot.stream.covers.includes('register')) {
    await relateLicensees(tx, snapshot)
    await markOperators(tx, snapshot)
  }
  await analyseFacts(tx, found.added + found.removed + found.changed + found.restated)
  const domainIds = await readAffectedDomains(tx)
  await recomputeVerdicts(tx, domainIds)
  const searchable = found.added + found.removed + found.changed + found.restated + companies
  if (domainIds.length === 0 && searchable > 0) await markDatasetChanged(tx)
}
