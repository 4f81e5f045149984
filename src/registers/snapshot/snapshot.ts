import type { Stream } from '../stream.ts'
import type { Figures } from './figures.ts'
import type { RawFile } from './raw-file.ts'

/** What decides whether two snapshots of a stream are the same: their time, their content and their parser. */
export type SnapshotVersion = {
  takenAt: Date
  contentSha256: Buffer
  parserVersion: number
}

type Recorded = SnapshotVersion & {
  isCorrection: boolean
  files: readonly RawFile[]
  /** null: applied before rows were stored. */
  rowsSha256: Buffer | null
  figures: Figures
  rows: number
  rejected: number
  rejectedByReason: Record<string, number>
  added: number
  removed: number
  changed: number
}

/** The last snapshot of a stream that was applied. */
export type AppliedSnapshot = Omit<Recorded, 'isCorrection' | 'figures' | 'added' | 'removed' | 'changed'> & {
  id: number
  snapshotRef: string
  number: number
  appliedAt: Date
  /** The most rows that an applied snapshot of the stream ever had. */
  rowsMost: number
  figures: Figures | null
}

/** A snapshot to be stored as applied or quarantined. */
export type SnapshotToStore = Recorded & {
  /** The quarantined snapshot that is now approved; null: a new one. */
  approvedRef: string | null
  stream: Stream
  now: Date
}

/** Any stored snapshot, whatever its status. */
export type StoredSnapshot = Recorded & {
  id: number
  snapshotRef: string
  stream: string
  status: 'applied' | 'held' | 'superseded'
  /** Why it was quarantined. */
  reasons: string[]
}
