import type { Stream } from '../stream.ts'

/** What applying reads of a stream; journaled, so that a replay does not depend on later versions. */
export type RecordedStream = Pick<
  Stream,
  'key' | 'market' | 'covers' | 'absenceRemoves' | 'infersHolders' | 'publishes' | 'regulator' | 'officialUrl'
>

export function recordedStream(stream: Stream): RecordedStream {
  const { key, market, covers, absenceRemoves, infersHolders, publishes, regulator, officialUrl } = stream
  return { key, market, covers, absenceRemoves, infersHolders, publishes, regulator, officialUrl }
}
