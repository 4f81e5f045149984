import { Refusal } from '@baize/tables'

export type SnapshotVersion = {
  takenAt: Date
  contentSha256: Buffer
  parserVersion: number
}

/** Allows for different clocks of two machines. */
const takenAheadMsMax = 5 * 60_000

/** Throws a Refusal for a snapshot from the future, an older one, or other content of the same moment. */
export function checkOrder(
  snapshot: SnapshotVersion & { now: Date },
  last: SnapshotVersion | undefined,
): 'new' | 'unchanged' {
  const { takenAt, now } = snapshot
  if (takenAt.getTime() > now.getTime() + takenAheadMsMax) {
    throw new Refusal(
      `the snapshot is dated in the future: ${takenAt.toISOString()}, while now is ${now.toISOString()}`,
    )
  }
  if (last === undefined) return 'new'
  const lastTakenAt = last.takenAt.toISOString()
  if (takenAt < last.takenAt) {
    throw new Refusal(
      `the snapshot was taken at ${takenAt.toISOString()}, before the last one (${lastTakenAt})`,
    )
  }
  const sameContent = snapshot.contentSha256.equals(last.contentSha256)
  if (!sameContent && takenAt.getTime() === last.takenAt.getTime()) {
    throw new Refusal(`another snapshot, with other content, was taken at the same moment (${lastTakenAt})`)
  }
  return sameContent && snapshot.parserVersion === last.parserVersion ? 'unchanged' : 'new'
}
