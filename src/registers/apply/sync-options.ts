type SyncProgress = { step: 'reading' | 'applying'; rows: number }

export type SyncOptions = {
  /** When the files were fetched or published. */
  takenAt: Date
  now: Date
  onProgress?: (progress: SyncProgress) => void
  /** How long to wait for another sync of the stream. */
  waitMsMax?: number
}
