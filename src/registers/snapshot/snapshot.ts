import type { Stream } from '../stream.ts'
import type { Figures } from './figures.ts'
import type { RawFile } from './raw-file.ts'
import type { Form, ReadRows } from './tally.ts'

export type SnapshotVersion = {
  takenAt: Date
  contentSha256: Buffer
  parserVersion: number
}

type Recorded = SnapshotVersion &
  ReadRows & {
    isCorrection: boolean
    /** Read as history: its Signals are marked and free. */
    isBackfill: boolean
    files: readonly RawFile[]
    /** null: applied before forms were recorded. */
    form: Form | null
    /** null: applied before rows were stored. */
    rowsSha256: Buffer | null
    figures: Figures
    added: number
    removed: number
    changed: number
  }

export type AppliedSnapshot = Omit<Recorded, 'isCorrection' | 'figures' | 'added' | 'removed' | 'changed'> & {
  id: number
  snapshotRef: string
  number: number
  /** When a snapshot of the stream was last applied or discarded. */
  changedAt: Date
  /** The most rows of any applied snapshot of the stream. */
  rowsMost: number
  figures: Figures | null
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
