/** Detects a first snapshot that is another register's file, or far from the expected size. */
import { counted } from '@baize/names'
import type { SnapshotFigures } from './figures.ts'

/**
 * The bounds are shares, with floors in domains or rows. Of the real lists at most 38 % are common to two,
 * 40 % of the authorised domains are blocked elsewhere, 8 % of the blocked ones authorised elsewhere, and
 * 43 % of the rows repeat a record.
 */
const bounds = {
  commonShareMax: 0.5,
  blockedElsewhereMax: 0.7,
  authorisedElsewhereMax: 0.3,
  domainsFloor: 20,
  unreadableShareMax: 0.5,
  repeatedShareMax: 0.5,
  rowsFloor: 10,
} as const

/** Domains that the snapshot has in common with a stream of another regulator. */
export type CommonDomains = { stream: string; what: 'blocked' | 'authorised'; common: number; union: number }

/** `of` is the number of domains of this kind in the snapshot. */
export type DomainsElsewhere = { domains: number; of: number }

export type BaselineInput = {
  /** The least number of rows; null for any number. */
  rowsMin: number | null
  rowsMax: number | null
  /** A stream of another market whose last snapshot has the same files. */
  sameFilesAs: string | null
  commonDomains: readonly CommonDomains[]
  /** Domains that the snapshot authorises and another market blocks. */
  blockedElsewhere: DomainsElsewhere
  /** Domains that the snapshot blocks and another market authorises. */
  authorisedElsewhere: DomainsElsewhere
}

export function baselineReasons(figures: SnapshotFigures, input: BaselineInput | null): string[] {
  return [
    ...(input === null ? [] : [...otherSize(figures, input), ...otherRegister(input)]),
    ...unreadable(figures),
    ...repeated(figures),
  ]
}

function otherSize({ rows }: SnapshotFigures, { rowsMin, rowsMax }: BaselineInput): string[] {
  if (rowsMin !== null && rows < rowsMin)
    return [
      `first snapshot: ${counted(rows, 'row')}, while known files allow no fewer than ${rowsMin} (rows_min)`,
    ]
  if (rowsMax !== null && rows > rowsMax)
    return [
      `first snapshot: ${counted(rows, 'row')}, while known files allow no more than ${rowsMax} (rows_max)`,
    ]
  return []
}

function otherRegister(input: BaselineInput): string[] {
  const { sameFilesAs, commonDomains, blockedElsewhere, authorisedElsewhere } = input
  const reasons: string[] = []
  if (sameFilesAs !== null) reasons.push(`first snapshot: its files are those of ${sameFilesAs}`)
  for (const { stream, what, common, union } of commonDomains)
    if (common >= bounds.domainsFloor && common > union * bounds.commonShareMax)
      reasons.push(
        `first snapshot: ${common} of ${union} ${what} domains are common with ${stream}, ` +
          `more than ${percent(bounds.commonShareMax)}`,
      )
  const isBeyond = ({ domains, of }: DomainsElsewhere, shareMax: number) =>
    domains >= bounds.domainsFloor && domains > of * shareMax
  if (isBeyond(blockedElsewhere, bounds.blockedElsewhereMax)) {
    const { domains, of } = blockedElsewhere
    const bound = percent(bounds.blockedElsewhereMax)
    reasons.push(
      `first snapshot: ${domains} of ${of} authorised domains are blocked elsewhere, more than ${bound}`,
    )
  }
  if (isBeyond(authorisedElsewhere, bounds.authorisedElsewhereMax)) {
    const { domains, of } = authorisedElsewhere
    const bound = percent(bounds.authorisedElsewhereMax)
    reasons.push(
      `first snapshot: ${domains} of ${of} blocked domains are authorised elsewhere, more than ${bound}`,
    )
  }
  return reasons
}

function unreadable({ unusable, rows }: SnapshotFigures): string[] {
  if (unusable <= bounds.rowsFloor || unusable <= rows * bounds.unreadableShareMax) return []
  return [`${unusable} of ${rows} rows cannot be read`]
}

/** Detects, for example, rows that follow again without their header. */
function repeated({ repeated, unusable, rows }: SnapshotFigures): string[] {
  if (repeated <= bounds.rowsFloor || repeated < (rows - unusable) * bounds.repeatedShareMax) return []
  return [`${repeated} of ${rows} rows repeat a record: the file may contain everything twice`]
}

const percent = (share: number) => `${share * 100} %`
