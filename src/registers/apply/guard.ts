/**
 * Whether a snapshot is what its register says today, or a broken download of it: judged before anything of it is
 * applied, from figures alone. Reasons are sentences for the person who approves. Every bound has a floor, so that a
 * list of thirty does not trip on one row; growth alone holds nothing, since real lists double.
 */
import type { Figures } from '../snapshot/figures.ts'
import type { DifferencesByKind, RecordKind } from './incoming-snapshot.ts'

/** Shares of the last snapshot, and the number of records below which a share says nothing. */
export const bounds = {
  recordsShareMin: 0.7,
  removedShareMax: 0.15,
  removedFloor: 10,
  turnedShareMax: 0.1,
  turnedFloor: 5,
  changedShareMax: 0.5,
  changedFloor: 10,
  tailFloor: 10,
  /** How far the share of unusable or repeated rows may lie above the last snapshot's. */
  shareStepMax: 0.05,
  shareFloor: 10,
  /** A baseline of which more than this cannot be read is not in the format that is expected. */
  unusableBaselineMax: 0.5,
  filledShareMin: 0.2,
  filledCollapse: 0.5,
} as const

export type Weighed = {
  figures: Figures
  /** The last snapshot that was applied; null: this is the baseline. */
  last: Figures | null
  differences: DifferencesByKind
  /** How many records of each kind were in force before it. */
  inForce: Record<RecordKind, number>
  /** By kind, how many records are missing, and how many of them in one run at the end of the last snapshot's order. */
  tailsMissing: readonly { kind: RecordKind; missing: number; run: number }[]
  /** Sites that the market's registers authorise and that this snapshot would newly block there. */
  authorisedBlocked: { sites: number; of: number }
  /** Sites that the market's blocklists list and that this snapshot would newly authorise there, and those authorised now. */
  blockedAuthorised: { sites: number; of: number }
  /** The file that ends inside a line although those of the last snapshot ended with a line break; null: none does. */
  endsInsideLine: string | null
  /** Whether it is the last snapshot's files, read anew: those cannot have been cut off. */
  isCorrection: boolean
}

const nouns: Record<RecordKind, string> = {
  licensee: 'licensees',
  license: 'licenses',
  authorisation: 'authorised domains',
  blocklist_entry: 'entries',
}
const kinds = Object.keys(nouns) as RecordKind[]

/** Why the snapshot is to be held; empty: it may be applied. */
export function quarantineReasons(weighed: Weighed): string[] {
  const { figures, last, isCorrection } = weighed
  const reasons = turnedOver(weighed)
  if (last === null) return [...reasons, ...unreadableBaseline(figures)]
  const held = [
    ...reasons,
    ...(isCorrection ? [] : [...cutEnds(weighed), ...rewritten(weighed)]),
    ...tooFewRecords(figures, last),
    ...tooManyRemovals(weighed),
    ...risen('cannot be read', figures.unusable, last.unusable, figures.rows, last.rows),
    ...risen('name a record again', figures.repeated, last.repeated, figures.rows, last.rows),
    ...strangeColumns(figures, last),
    ...emptiedFields(figures, last, isCorrection),
  ]
  return isCorrection ? held.map(reason => `today's reader, of the last snapshot's files: ${reason}`) : held
}

function unreadableBaseline({ unusable, rows }: Figures): string[] {
  if (unusable <= bounds.shareFloor || unusable <= rows * bounds.unusableBaselineMax) return []
  return [`${unusable} of ${rows} rows cannot be read`]
}

/**
 * A file that was cut off loses the end of the last order, whatever else the register changed meanwhile: so a run that is
 * most of what is missing, or a long one, is looked at by a person.
 */
function cutEnds({ tailsMissing, endsInsideLine }: Weighed): string[] {
  const reasons = tailsMissing
    .filter(({ missing, run }) => run > bounds.tailFloor || run * 2 > missing)
    .map(
      ({ kind, run, missing }) =>
        `of the missing ${nouns[kind]} (${missing}) ${run === missing ? 'all' : run} are the end of the last snapshot: the file may be cut off`,
    )
  if (endsInsideLine !== null)
    reasons.push(
      `"${endsInsideLine}" ends inside a line, where the last snapshot's file did not: it may be cut off`,
    )
  return reasons
}

/** Half of a register does not change its words from one day to the next; a column that was exchanged does. */
function rewritten({ differences, inForce }: Weighed): string[] {
  const reasons: string[] = []
  for (const kind of kinds) {
    const { changed } = differences[kind]
    if (changed <= bounds.changedFloor || changed <= inForce[kind] * bounds.changedShareMax) continue
    reasons.push(`${changed} of ${inForce[kind]} ${nouns[kind]} would change`)
  }
  return reasons
}

function tooFewRecords(figures: Figures, last: Figures): string[] {
  const reasons: string[] = []
  for (const kind of kinds) {
    const [now, before] = [figures.records[kind], last.records[kind]]
    if (before - now <= bounds.removedFloor || now >= before * bounds.recordsShareMin) continue
    reasons.push(`${now} ${nouns[kind]} after ${before}`)
  }
  return reasons
}

function tooManyRemovals({ differences, inForce }: Weighed): string[] {
  const reasons: string[] = []
  for (const kind of kinds) {
    const { removed } = differences[kind]
    if (removed <= bounds.removedFloor || removed <= inForce[kind] * bounds.removedShareMax) continue
    reasons.push(`${removed} of ${inForce[kind]} ${nouns[kind]} would be removed`)
  }
  return reasons
}

function turnedOver({ authorisedBlocked, blockedAuthorised }: Weighed): string[] {
  const isBeyond = ({ sites, of }: { sites: number; of: number }) =>
    sites > bounds.turnedFloor && sites > of * bounds.turnedShareMax
  const reasons: string[] = []
  if (isBeyond(authorisedBlocked)) {
    const { sites, of } = authorisedBlocked
    reasons.push(`${sites} of ${of} sites that are authorised in this market would be blocked in it`)
  }
  if (isBeyond(blockedAuthorised)) {
    const { sites, of } = blockedAuthorised
    reasons.push(`${sites} sites that are blocked in this market would be authorised in it, where ${of} are`)
  }
  return reasons
}

function risen(what: string, now: number, before: number, rows: number, rowsBefore: number): string[] {
  const [share, shareBefore] = [now / Math.max(rows, 1), before / Math.max(rowsBefore, 1)]
  if (now - before <= bounds.shareFloor || share <= shareBefore + bounds.shareStepMax) return []
  return [`${now} of ${rows} rows ${what}, after ${before} of ${rowsBefore}`]
}

function strangeColumns(figures: Figures, last: Figures): string[] {
  const news = figures.unknownColumns.filter(column => !last.unknownColumns.includes(column))
  return news.length === 0 ? [] : [`columns that nobody knows: ${news.join(', ')}`]
}

/**
 * A column that was filled and no longer is has been moved or lost, whatever its name says. A reader that finds more records
 * in the same files has emptied none that it gives as often as before.
 */
function emptiedFields(figures: Figures, last: Figures, isCorrection: boolean): string[] {
  const reasons: string[] = []
  for (const [field, before] of Object.entries(last.filled)) {
    const kind = field.split('.')[0] as RecordKind
    const [recordsBefore, records] = [last.records[kind], figures.records[kind]]
    const shareBefore = before / Math.max(recordsBefore, 1)
    const now = figures.filled[field] ?? 0
    const share = now / Math.max(records, 1)
    if (isCorrection && now >= before) continue
    const isTelling =
      before > bounds.shareFloor && records > bounds.shareFloor && shareBefore >= bounds.filledShareMin
    if (isTelling && share < shareBefore * bounds.filledCollapse)
      reasons.push(`${field} is given in ${now} of ${records} records, after ${before} of ${recordsBefore}`)
  }
  return reasons
}
