import type { Database, Transaction } from '../../database/open.ts'
import type { Figures } from '../snapshot/figures.ts'
import type { AppliedSnapshot } from '../snapshot/snapshot.ts'
import { storedRows } from '../snapshot/store-files.ts'
import type { RecordKind } from '../stream.ts'
import { countCommonDomains, countElsewhere, findSameFiles } from './baseline-store.ts'
import type { DifferencesByKind } from './differences.ts'
import { type MissingTail, quarantineReasons } from './guard.ts'
import type { BaselineInput } from './guard-baseline.ts'
import {
  countAuthorisedBlocked,
  countBlockedAuthorised,
  countInForce,
  countMissingTail,
  findMissing,
} from './guard-store.ts'
import type { IncomingSnapshot } from './incoming-snapshot.ts'

type ComparedSnapshot = {
  snapshot: IncomingSnapshot
  figures: Figures
  differences: DifferencesByKind
  last: AppliedSnapshot | undefined
  contentSha256: Buffer
  /** Whether all files are from `demo/`. */
  isDemo: boolean
  /** Whether the parsers of all files prove that they are whole. */
  isWhole: boolean
}

export async function checkGuard(
  tx: Transaction,
  database: Database,
  compared: ComparedSnapshot,
): Promise<string[]> {
  const { snapshot, figures, differences, last } = compared
  const { stream, isCorrection, isOtherForm } = snapshot
  return quarantineReasons({
    figures,
    last: last?.figures ?? null,
    differences,
    inForce: await countInForce(tx, stream.key),
    missingTails: isCorrection || isOtherForm ? [] : await findMissingTails(tx, database, last),
    authorisedBlocked: await countAuthorisedBlocked(tx, stream),
    blockedAuthorised: await countBlockedAuthorised(tx, stream),
    isCorrection,
    isOtherForm,
    isWhole: compared.isWhole,
    removedShareMax: stream.removedShareMax,
    baseline: last === undefined ? await compareBaseline(tx, compared) : null,
  })
}

async function compareBaseline(
  tx: Transaction,
  { snapshot: { stream }, contentSha256, isDemo }: ComparedSnapshot,
): Promise<BaselineInput> {
  return {
    rowsMin: isDemo ? null : stream.rowsMin,
    rowsMax: isDemo ? null : stream.rowsMax,
    sameFilesAs: await findSameFiles(tx, stream, contentSha256),
    commonDomains: [
      ...(await countCommonDomains(tx, stream, 'blocked')),
      ...(await countCommonDomains(tx, stream, 'authorised')),
    ],
    blockedElsewhere: await countElsewhere(tx, stream, 'authorised', 'blocked'),
    authorisedElsewhere: await countElsewhere(tx, stream, 'blocked', 'authorised'),
  }
}

/** Reads stored rows only for kinds whose last key is missing. */
async function findMissingTails(
  tx: Transaction,
  database: Database,
  last: AppliedSnapshot | undefined,
): Promise<MissingTail[]> {
  if (last?.figures == null || last.rowsSha256 === null) return []
  const lastKeys = Object.entries(last.figures.lastKeys) as [RecordKind, string][]
  const kinds = await findMissing(
    tx,
    lastKeys.map(([kind, recordKey]) => ({ kind, recordKey })),
  )
  const tails: MissingTail[] = []
  for (const kind of kinds)
    tails.push(await countMissingTail(tx, kind, storedRows(database, last.rowsSha256)))
  return tails
}
