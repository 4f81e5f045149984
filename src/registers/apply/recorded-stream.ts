import type { Stream } from '../stream.ts'

/** The fields of a stream that applying reads; journaled, so that a replay does not use later versions. */
export type RecordedStream = Pick<
  Stream,
  'key' | 'market' | 'covers' | 'infersHolders' | 'publishes' | 'regulator' | 'officialUrl'
> & {
  /** Of early snapshots alone; see `leavesAbsent`. */
  absenceRemoves?: boolean
}

export function recordedStream(stream: Stream): RecordedStream {
  const { key, market, covers, infersHolders, publishes, regulator, officialUrl } = stream
  return { key, market, covers, infersHolders, publishes, regulator, officialUrl }
}
