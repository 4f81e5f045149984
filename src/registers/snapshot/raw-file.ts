/** A raw file of a snapshot, as stored in `register_snapshots.files`. `sha256` is its key in `kept_files`. */
export type RawFile = { name: string; sha256: string; bytes: number; ends_line: boolean }
