type SyncProgress = { step: 'reading' | 'applying'; rows: number }

export type SyncOptions = {
  /** The time when the files were fetched or published. */
  takenAt: Date
  now: Date
  /**
   * Whether the files were fetched from a server, which can serve an old state again. By default, a person
   * gave them.
   */
  isFetched?: boolean
  /** Whether the snapshot is read as history. Its Signals are then marked and free of charge. */
  isBackfill?: boolean
  onProgress?: (progress: SyncProgress) => void
  /** Limits the wait for another sync of the stream. */
  waitMsMax?: number
}
