type SyncProgress = { step: 'reading' | 'applying'; rows: number }

export type SyncOptions = {
  /** When the files were fetched or published. */
  takenAt: Date
  now: Date
  /** Fetched from a server, which can serve an old state again; default: given by a person. */
  isFetched?: boolean
  /** Read as history: Signals are marked and free of charge. */
  isBackfill?: boolean
  onProgress?: (progress: SyncProgress) => void
  /** How long to wait for another sync of the stream. */
  waitMsMax?: number
}
