import type { NoticeShown, ReadRows, RejectShown, Tally } from '../snapshot/tally.ts'

/** The report of a sync, as `baize register sync --json` prints it (contract section 12). */
export type SyncReport = {
  stream: string
  /** The snapshot that was applied, quarantined, or confirmed by an unchanged file; null when refused. */
  snapshot_ref: string | null
  status: 'applied' | 'unchanged' | 'held' | 'refused'
  reasons: string[]
  /** Records read: used, rejected or undecided; a published line can contain several. */
  rows: number
  rejected: number
  rejected_by_reason: Record<string, number>
  rejects: RejectShown[]
  /** Rows that the source has not decided; not among the rejected. */
  undecided: number
  notices: NoticeShown[]
  /** Records in use, by kind; blocklist entries by scope. Empty for `unchanged` and `refused`. */
  accepted: Record<string, number>
  /** Licenses, authorisations and blocklist entries; of a quarantined snapshot, what it would change. */
  added: number
  removed: number
  changed: number
  signals: number
  /** Whether a newer parser corrected the last snapshot first. */
  corrected: boolean
  seconds: number
}

export type SyncOutcome = Pick<SyncReport, 'status' | 'snapshot_ref'> & Partial<SyncReport>

export function syncReport(stream: string, seconds: number, tally: Tally, outcome: SyncOutcome): SyncReport {
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
    corrected: false,
    seconds,
    ...figures,
  }
}

export function reportedRows({ rows, rejected, rejectedByReason, rejects, undecided }: ReadRows) {
  return { rows, rejected, rejected_by_reason: rejectedByReason, rejects, undecided }
}
