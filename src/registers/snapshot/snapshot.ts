import type { Stream } from '@baize/registers'
import type { Form, RawFile, ReadRows, SnapshotFigures, SnapshotVersion } from '@baize/registers/guard'

type Recorded = SnapshotVersion &
  ReadRows & {
    isCorrection: boolean
    /** Whether the snapshot is read as history. Its Signals are then marked and free. */
    isBackfill: boolean
    files: readonly RawFile[]
    form: Form
    rowsSha256: Buffer
    figures: SnapshotFigures
    added: number
    removed: number
    changed: number
  }

export type AppliedSnapshot = Omit<Recorded, 'isCorrection' | 'added' | 'removed' | 'changed'> & {
  id: number
  snapshotRef: string
  number: number
  /** The time when a snapshot of the stream was last applied or discarded. */
  changedAt: Date
}

export type SnapshotToStore = Recorded & {
  approvedRef: string | null
  stream: Stream
  now: Date
}

export type StoredSnapshot = Recorded & {
  id: number
  snapshotRef: string
  stream: string
  status: 'applied' | 'held' | 'superseded' | 'discarded'
  reasons: string[]
}
