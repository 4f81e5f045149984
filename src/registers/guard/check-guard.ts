import type { RecordKind } from '@baize/registers'
import type { BaselineInput, SnapshotFigures } from '@baize/registers/guard'
import { type DifferencesByKind, hasRows, type MissingTail, quarantineReasons } from '@baize/registers/guard'
import type { Transaction } from '../../database/open.ts'
import type { IncomingSnapshot } from '../apply/incoming-snapshot.ts'
import type { AppliedSnapshot } from '../snapshot/snapshot.ts'
import { storedRows, withoutDecided } from '../snapshot/store-files.ts'
import { countCommonDomains, countElsewhere, findSameFiles } from './baseline-store.ts'
import {
  countAuthorisedBlocked,
  countBlockedAuthorised,
  countInForce,
  countMissingTail,
  findMissing,
} from './guard-store.ts'
import { readRemovalHistory } from './removal-history-store.ts'

type ComparedSnapshot = {
  snapshot: IncomingSnapshot
  figures: SnapshotFigures
  differences: DifferencesByKind
  last: AppliedSnapshot | undefined
  contentSha256: Buffer
  /** Whether all files are from `demo/`. */
  isDemo: boolean
  /** Whether the parsers of all files prove that they are whole. */
  isWhole: boolean
}

const noSwitch = { sites: 0, of: 0 }

export async function checkGuard(tx: Transaction, compared: ComparedSnapshot): Promise<string[]> {
  const { snapshot, figures, differences, last } = compared
  const { stream, isCorrection, isOtherForm } = snapshot
  return quarantineReasons({
    figures,
    last: last?.figures ?? null,
    differences,
    inForce: await countInForce(tx, stream.key),
    missingTails: isCorrection || isOtherForm ? [] : await findMissingTails(tx, last),
    authorisedBlocked: hasRows(differences.blocklist_entry)
      ? await countAuthorisedBlocked(tx, stream)
      : noSwitch,
    blockedAuthorised: hasRows(differences.authorisation)
      ? await countBlockedAuthorised(tx, stream)
      : noSwitch,
    isCorrection,
    isOtherForm,
    isWhole: compared.isWhole,
    removals: await readRemovalHistory(tx, stream.key),
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
async function findMissingTails(tx: Transaction, last: AppliedSnapshot | undefined): Promise<MissingTail[]> {
  if (last === undefined) return []
  const lastKeys = Object.entries(last.figures.lastKeys) as [RecordKind, string][]
  const kinds = await findMissing(
    tx,
    lastKeys.map(([kind, recordKey]) => ({ kind, recordKey })),
  )
  const tails: MissingTail[] = []
  for (const kind of kinds) {
    const rows = withoutDecided(tx, storedRows(tx, last.rowsSha256))
    tails.push(await countMissingTail(tx, kind, rows))
  }
  return tails
}
