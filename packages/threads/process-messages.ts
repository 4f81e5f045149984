/** The messages between a WatchedProcess and its child. `of` identifies one reading of a file. */

export type ToProcess<Task> =
  | { task: Task; names: string[] }
  /** Answers `next`; null: the file has ended. */
  | { piece: Uint8Array | null; of: number }
  /** The last batch of rows was consumed. */
  | 'more'

export type FromProcess<Row> =
  /** The process has started and has the task. */
  | 'begun'
  | 'done'
  | { rows: Row[] }
  | { failed: Failed }
  | { open: number; of: number }
  | { next: number }
  | { close: number }

/** An error of a task: `kind` is the name of its class. */
export type Failed = { kind: string; message: string; stack: string | undefined }
