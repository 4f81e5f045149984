/** Detects broken downloads from figures. Growth is never a reason, because real lists double. */

import { counted, plural } from '@baize/names'
import type { RecordKind } from '../stream.ts'
import type { DifferencesByKind } from './differences.ts'
import type { SnapshotFigures } from './figures.ts'
import { type BaselineInput, baselineReasons } from './guard-baseline.ts'
import { explainBound, type RemovalHistory, removalBound, removalsAllowed } from './removal-bound.ts'

/**
 * The bounds are shares, with floors in records. A number at or below its floor is not a reason, except a
 * tail that is most of the missing records.
 */
const bounds = {
  recordsShareMin: 0.7,
  turnedShareMax: 0.1,
  turnedFloor: 5,
  changedShareMax: 0.5,
  changedFloor: 10,
  tailFloor: 10,
  shareStepMax: 0.05,
  shareFloor: 10,
  filledShareMin: 0.2,
  filledCollapse: 0.5,
} as const

/** `run` counts the missing records in one run at the end of the last snapshot's order. */
export type MissingTail = { kind: RecordKind; missing: number; run: number }

/** `of` is the number of sites that the market's registers authorise now. */
export type SwitchedSites = { sites: number; of: number }

export type GuardInput = {
  figures: SnapshotFigures
  /** The last applied snapshot; null for a baseline. */
  last: SnapshotFigures | null
  differences: DifferencesByKind
  inForce: Record<RecordKind, number>
  missingTails: readonly MissingTail[]
  /** Sites authorised in the market that the snapshot would newly block there. */
  authorisedBlocked: SwitchedSites
  /** Sites blocked in the market that the snapshot would newly authorise there. */
  blockedAuthorised: SwitchedSites
  /** Whether the last snapshot's files are read again, which cannot have been cut off. */
  isCorrection: boolean
  /** Whether the last snapshot had another form. Shares and orders of the two cannot be compared. */
  isOtherForm: boolean
  /** Whether the parser proves that the file is whole. A few records at its end may then be missing. */
  isWhole: boolean
  /** The removals of earlier snapshots, which the bound follows. */
  removals: RemovalHistory
  /** The figures of a baseline; null for a later snapshot. */
  baseline: BaselineInput | null
}

const nouns: Record<RecordKind, string> = {
  licensee: 'licensees',
  license: 'licenses',
  authorisation: 'authorised domains',
  blocklist_entry: 'entries',
}
const kinds = Object.keys(nouns) as RecordKind[]

export function quarantineReasons(input: GuardInput): string[] {
  const { figures, last, isCorrection, isOtherForm } = input
  const turned = [...turnedSites(input), ...incompleteFile(figures)]
  if (last === null) return [...turned, ...baselineReasons(figures, input.baseline)]
  if (isOtherForm)
    return [...turned, ...rewritten(input), ...tooManyRemovals(input), ...baselineReasons(figures, null)]
  const reasons = [
    ...turned,
    ...(isCorrection ? [] : [...cutEnds(input), ...rewritten(input)]),
    ...tooFewRecords(figures, last),
    ...tooManyRemovals(input),
    ...risenShare('cannot be read', 'unusable', figures, last),
    ...risenShare('repeat a record', 'repeated', figures, last),
    ...newColumns(figures, last),
    ...(isCorrection ? [] : besideRows(figures, last)),
    ...emptiedFields(figures, last, isCorrection),
  ]
  return isCorrection ? reasons.map(reason => `last snapshot's files, read again: ${reason}`) : reasons
}

/** Detects a cut file, which lacks the end of the last order, among any other changes. */
function cutEnds({ missingTails, isWhole }: GuardInput): string[] {
  return missingTails
    .filter(({ missing, run }) => run > bounds.tailFloor || (!isWhole && run * 2 > missing))
    .map(({ kind, run, missing }) => {
      const share = run === missing ? 'all' : run
      return `missing ${nouns[kind]}: ${missing}, ${share} of them at the end of the last file (cut off?)`
    })
}

/**
 * Detects an exchanged column, because half of a register does not change in a day. Filled fields do not
 * count.
 */
function rewritten({ differences, inForce }: GuardInput): string[] {
  const reasons: string[] = []
  for (const kind of kinds) {
    const rewritten = differences[kind].changed - differences[kind].filled
    if (rewritten <= bounds.changedFloor || rewritten <= inForce[kind] * bounds.changedShareMax) continue
    reasons.push(`${rewritten} of ${inForce[kind]} ${nouns[kind]} would change`)
  }
  return reasons
}

function tooFewRecords(figures: SnapshotFigures, last: SnapshotFigures): string[] {
  const reasons: string[] = []
  for (const kind of kinds) {
    const [now, before] = [figures.records[kind], last.records[kind]]
    if (before - now <= removalsAllowed(before, 1 - bounds.recordsShareMin)) continue
    reasons.push(`${now} ${nouns[kind]} after ${before}`)
  }
  return reasons
}

function tooManyRemovals({ differences, inForce, removals }: GuardInput): string[] {
  const reasons: string[] = []
  for (const kind of kinds) {
    const { removed } = differences[kind]
    const bound = removalBound(kind, inForce[kind], removals)
    if (removed <= bound.bound) continue
    reasons.push(`${removed} of ${inForce[kind]} ${nouns[kind]} would be removed; ${explainBound(bound)}`)
  }
  return reasons
}

function turnedSites({ authorisedBlocked, blockedAuthorised }: GuardInput): string[] {
  const isBeyond = ({ sites, of }: SwitchedSites) =>
    sites > bounds.turnedFloor && sites > of * bounds.turnedShareMax
  const reasons: string[] = []
  if (isBeyond(authorisedBlocked)) {
    const { sites, of } = authorisedBlocked
    reasons.push(`${sites} of ${counted(of, 'site')} authorised in this market would be blocked in it`)
  }
  if (isBeyond(blockedAuthorised)) {
    const { sites, of } = blockedAuthorised
    reasons.push(
      `${counted(sites, 'site')} blocked in this market would be authorised in it, ` +
        `where ${of} ${plural(of, 'is', 'are')} now`,
    )
  }
  return reasons
}

/** Detects a file that lacks rows by its own count, such as the first page of a list. */
function incompleteFile({ incomplete }: SnapshotFigures): string[] {
  return incomplete === undefined ? [] : [`incomplete: ${incomplete}`]
}

/** Detects rows in a new layout, which stand beside the others and are not read. */
function besideRows(
  { besideRows: now = 0 }: SnapshotFigures,
  { besideRows: before }: SnapshotFigures,
): string[] {
  if (before === undefined || now <= before) return []
  return [`${counted(now, 'element')} beside the rows not read, after ${before}`]
}

function risenShare(
  what: string,
  figure: 'unusable' | 'repeated',
  figures: SnapshotFigures,
  last: SnapshotFigures,
): string[] {
  const [now, before] = [figures[figure], last[figure]]
  const [share, shareBefore] = [now / Math.max(figures.rows, 1), before / Math.max(last.rows, 1)]
  if (now - before <= bounds.shareFloor || share <= shareBefore + bounds.shareStepMax) return []
  return [`${now} of ${figures.rows} rows ${what}, after ${before} of ${last.rows}`]
}

function newColumns(figures: SnapshotFigures, last: SnapshotFigures): string[] {
  const columns = figures.unknownColumns.filter(column => !last.unknownColumns.includes(column))
  return columns.length === 0 ? [] : [`unknown columns: ${columns.join(', ')}`]
}

/** Detects a column that was moved or lost. A correction may add records without the field. */
function emptiedFields(figures: SnapshotFigures, last: SnapshotFigures, isCorrection: boolean): string[] {
  const reasons: string[] = []
  for (const [field, before] of Object.entries(last.filled)) {
    const kind = field.split('.')[0] as RecordKind
    const [recordsBefore, records] = [last.records[kind], figures.records[kind]]
    const shareBefore = before / Math.max(recordsBefore, 1)
    const now = figures.filled[field] ?? 0
    const share = now / Math.max(records, 1)
    if (isCorrection && now >= before) continue
    const isComparable =
      before > bounds.shareFloor && records > bounds.shareFloor && shareBefore >= bounds.filledShareMin
    if (isComparable && share < shareBefore * bounds.filledCollapse)
      reasons.push(`${field} is filled in ${now} of ${records} records, after ${before} of ${recordsBefore}`)
  }
  return reasons
}
