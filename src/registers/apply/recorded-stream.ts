import type { Stream } from '@baize/registers'

/**
 * The fields of a stream that applying reads. They are journaled, so that a replay does not use later
 * versions.
 */
type RecordedStream = Pick<
  Stream,
  'key' | 'market' | 'covers' | 'infersHolders' | 'publishes' | 'regulator' | 'officialUrl'
>

/** The detail of a `snapshot` event. A replay cannot derive it from the snapshot. */
export type SnapshotDetail = { stream: RecordedStream; emits_signals: boolean; follows_gap: boolean }

export function recordedStream(stream: Stream): RecordedStream {
  const { key, market, covers, infersHolders, publishes, regulator, officialUrl } = stream
  return { key, market, covers, infersHolders, publishes, regulator, officialUrl }
}
