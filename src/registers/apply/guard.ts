/** Detects broken downloads from figures. Growth is never a reason, since real lists double. */
import type { Figures } from '../snapshot/figures.ts'
import type { RecordKind } from '../stream.ts'
import type { DifferencesByKind } from './differences.ts'
import { type BaselineInput, baselineReasons } from './guard-baseline.ts'

/**
 * Shares, with floors in records. At or below its floor a number is no reason, except a tail that is most
 * of the missing records.
 */
const bounds = {
  recordsShareMin: 0.7,
  smallRemovals: 10,
  smallShare: 1 / 3,
  fewRemovals: 2,
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

/** `run`: how many of the missing records are in one run at the end of the last snapshot's order. */
export type MissingTail = { kind: RecordKind; missing: number; run: number }

/** `of`: the sites that the market's registers authorise now. */
export type SwitchedSites = { sites: number; of: number }

export type GuardInput = {
  figures: Figures
  /** The last applied snapshot; null: this is the baseline. */
  last: Figures | null
  differences: DifferencesByKind
  inForce: Record<RecordKind, number>
  missingTails: readonly MissingTail[]
  /** Sites authorised in the market that the snapshot would newly block there. */
  authorisedBlocked: SwitchedSites
  /** Sites blocked in the market that the snapshot would newly authorise there. */
  blockedAuthorised: SwitchedSites
  /** The last snapshot's files, read again: they cannot have been cut off. */
  isCorrection: boolean
  /** Read in another form than the last snapshot: shares and orders of the two cannot be compared. */
  isOtherForm: boolean
  /** Its parser proves that the file is whole: a few records at its end may be missing. */
  isWhole: boolean
  removedShareMax: number
  /** null unless this is the baseline. */
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
  const turned = turnedSites(input)
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
    ...emptiedFields(figures, last, isCorrection),
  ]
  return isCorrection ? reasons.map(reason => `last snapshot's files, read again: ${reason}`) : reasons
}

/** A cut file lacks the end of the last order, among any other changes. */
function cutEnds({ missingTails, isWhole }: GuardInput): string[] {
  return missingTails
    .filter(({ missing, run }) => run > bounds.tailFloor || (!isWhole && run * 2 > missing))
    .map(({ kind, run, missing }) => {
      const share = run === missing ? 'all' : run
      return `missing ${nouns[kind]}: ${missing}, ${share} of them at the end of the last file (cut off?)`
    })
}

/** Half of a register does not change in a day, unless a column was exchanged. Filled fields do not count. */
function rewritten({ differences, inForce }: GuardInput): string[] {
  const reasons: string[] = []
  for (const kind of kinds) {
    const rewritten = differences[kind].changed - differences[kind].filled
    if (rewritten <= bounds.changedFloor || rewritten <= inForce[kind] * bounds.changedShareMax) continue
    reasons.push(`${rewritten} of ${inForce[kind]} ${nouns[kind]} would change`)
  }
  return reasons
}

/** Removals that are no reason: a share, but 10 if these are at most a third of the list, and always 2. */
export function removalsAllowed(records: number, shareMax: number): number {
  const few = Math.max(bounds.fewRemovals, records * bounds.smallShare)
  return Math.floor(Math.max(records * shareMax, Math.min(bounds.smallRemovals, few)))
}

function tooFewRecords(figures: Figures, last: Figures): string[] {
  const reasons: string[] = []
  for (const kind of kinds) {
    const [now, before] = [figures.records[kind], last.records[kind]]
    if (before - now <= removalsAllowed(before, 1 - bounds.recordsShareMin)) continue
    reasons.push(`${now} ${nouns[kind]} after ${before}`)
  }
  return reasons
}

function tooManyRemovals({ differences, inForce, removedShareMax }: GuardInput): string[] {
  const reasons: string[] = []
  for (const kind of kinds) {
    const { removed } = differences[kind]
    const allowed = removalsAllowed(inForce[kind], removedShareMax)
    if (removed <= allowed) continue
    const share = Math.round(removedShareMax * 1_000) / 10
    reasons.push(
      `${removed} of ${inForce[kind]} ${nouns[kind]} would be removed; ` +
        `the bound is ${allowed} (removed_share_max ${share} %; of a short list 10, at most a third)`,
    )
  }
  return reasons
}

function turnedSites({ authorisedBlocked, blockedAuthorised }: GuardInput): string[] {
  const isBeyond = ({ sites, of }: SwitchedSites) =>
    sites > bounds.turnedFloor && sites > of * bounds.turnedShareMax
  const reasons: string[] = []
  if (isBeyond(authorisedBlocked)) {
    const { sites, of } = authorisedBlocked
    reasons.push(`${sites} of ${of} sites authorised in this market would be blocked in it`)
  }
  if (isBeyond(blockedAuthorised)) {
    const { sites, of } = blockedAuthorised
    reasons.push(`${sites} sites blocked in this market would be authorised in it, where ${of} are now`)
  }
  return reasons
}

function risenShare(
  what: string,
  figure: 'unusable' | 'repeated',
  figures: Figures,
  last: Figures,
): string[] {
  const [now, before] = [figures[figure], last[figure]]
  const [share, shareBefore] = [now / Math.max(figures.rows, 1), before / Math.max(last.rows, 1)]
  if (now - before <= bounds.shareFloor || share <= shareBefore + bounds.shareStepMax) return []
  return [`${now} of ${figures.rows} rows ${what}, after ${before} of ${last.rows}`]
}

function newColumns(figures: Figures, last: Figures): string[] {
  const columns = figures.unknownColumns.filter(column => !last.unknownColumns.includes(column))
  return columns.length === 0 ? [] : [`unknown columns: ${columns.join(', ')}`]
}

/** Such a column was moved or lost. A correction may add records without the field. */
function emptiedFields(figures: Figures, last: Figures, isCorrection: boolean): string[] {
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
