import type { NoticeShown, RejectShown, Tally } from '../snapshot/tally.ts'

/** What a sync did, in the words that `baize register sync --json` prints (contract section 12). */
export type SyncReport = {
  stream: string
  /** The snapshot that was applied, held, or confirmed by an unchanged file; null when refused. */
  snapshot_ref: string | null
  status: 'applied' | 'unchanged' | 'held' | 'refused'
  /** Why it was held or refused. */
  reasons: string[]
  /** Records read, used or rejected; a published line can hold several. */
  rows: number
  rejected: number
  rejected_by_reason: Record<string, number>
  /** A sample of each reason. */
  rejects: RejectShown[]
  notices: NoticeShown[]
  /** Records in use: blocklist entries by scope, `licensee`, `license`, `authorisation`. Empty unless applied or held. */
  accepted: Record<string, number>
  /** Licenses, authorisations and blocklist entries, not lines; of a held snapshot, what it would change. */
  added: number
  removed: number
  changed: number
  /** Signals that were numbered for it. */
  signals: number
  /** A newer parser read the last snapshot anew before this one, and mended what it had read otherwise. */
  corrected: boolean
  seconds: number
}

/** The part of a report that its status decides. */
export type SyncOutcome = Pick<SyncReport, 'status' | 'snapshot_ref'> & Partial<SyncReport>

export function syncReport(stream: string, seconds: number, tally: Tally, outcome: SyncOutcome): SyncReport {
  const { snapshot_ref, status, ...figures } = outcome
  return {
    stream,
    snapshot_ref,
    status,
    reasons: [],
    rows: tally.rows,
    rejected: tally.rejected,
    rejected_by_reason: tally.rejectedByReason,
    rejects: tally.rejects,
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
