import type { Stream } from '../stream.ts'

/** The fields of a stream that applying reads; journaled, so that a replay does not use later versions. */
export type RecordedStream = Pick<
  Stream,
  'key' | 'market' | 'covers' | 'absenceRemoves' | 'infersHolders' | 'publishes' | 'regulator' | 'officialUrl'
>

export function recordedStream(stream: Stream): RecordedStream {
  const { key, market, covers, absenceRemoves, infersHolders, publishes, regulator, officialUrl } = stream
  return { key, market, covers, absenceRemoves, infersHolders, publishes, regulator, officialUrl }
}
