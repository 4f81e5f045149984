import type { NoticeShown, ReadRows, RecordTally, RejectShown } from '@baize/registers/guard'

/** The report of a sync, as `baize register sync --json` prints it (contract section 12). */
export type SyncReport = {
  stream: string
  /** The snapshot that was applied, quarantined, or confirmed by an unchanged file; null when refused. */
  snapshot_ref: string | null
  status: 'applied' | 'unchanged' | 'held' | 'refused'
  reasons: string[]
  /** The number of records read: used, rejected or undecided. A published line can contain several. */
  rows: number
  rejected: number
  rejected_by_reason: Record<string, number>
  rejects: RejectShown[]
  /** The number of rows that the source has not decided. They are not among the rejected. */
  undecided: number
  notices: NoticeShown[]
  /** The records in use, by kind; blocklist entries by scope. It is empty for `unchanged` and `refused`. */
  accepted: Record<string, number>
  /**
   * Counts licenses, authorisations and blocklist entries. For a quarantined snapshot, these are what it
   * would change.
   */
  added: number
  removed: number
  changed: number
  signals: number
  /** The holders that were linked to a Company or joined two, by evidence (docs/companies.md). */
  linked: Record<string, number>
  /** New pairs of Companies that may be one party: `baize company duplicates`. */
  candidates: number
  /** Whether a newer parser corrected the last snapshot first. */
  corrected: boolean
  seconds: number
}

export type SyncOutcome = Pick<SyncReport, 'status' | 'snapshot_ref'> & Partial<SyncReport>

export function syncReport(
  stream: string,
  seconds: number,
  tally: RecordTally,
  outcome: SyncOutcome,
): SyncReport {
  const { snapshot_ref, status, ...figures } = outcome
  return {
    stream,
    snapshot_ref,
    status,
    reasons: [],
    ...reportedRows(tally),
    notices: tally.notices,
    accepted: {},
    added: 0,
    removed: 0,
    changed: 0,
    signals: 0,
    linked: {},
    candidates: 0,
    corrected: false,
    seconds,
    ...figures,
  }
}

export function reportedRows({ rows, rejected, rejectedByReason, rejects, undecided }: ReadRows) {
  return { rows, rejected, rejected_by_reason: rejectedByReason, rejects, undecided }
}
