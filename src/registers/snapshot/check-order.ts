import { Refusal } from '../stream.ts'

/** How far a snapshot may claim to be taken after now: clocks of two machines differ, files do not come from tomorrow. */
const takenAheadMsMax = 5 * 60_000

export type SnapshotVersion = {
  takenAt: Date
  contentSha256: Buffer
  parserVersion: number
}

export type Candidate = SnapshotVersion & { now: Date }

/**
 * Whether a snapshot is to be compared with what is held, or is the one already applied. Throws a Refusal for one
 * that comes out of order: two contents of one moment have no order either.
 */
export function checkOrder(candidate: Candidate, last: SnapshotVersion | undefined): 'new' | 'unchanged' {
  const { takenAt, now } = candidate
  if (takenAt.getTime() > now.getTime() + takenAheadMsMax) {
    throw new Refusal(
      `the snapshot is said to be taken at ${takenAt.toISOString()}, after now (${now.toISOString()})`,
    )
  }
  if (last === undefined) return 'new'
  const held = last.takenAt.toISOString()
  if (takenAt < last.takenAt) {
    throw new Refusal(`the snapshot was taken at ${takenAt.toISOString()}, before the last one, of ${held}`)
  }
  const sameContent = candidate.contentSha256.equals(last.contentSha256)
  if (!sameContent && takenAt.getTime() === last.takenAt.getTime()) {
    throw new Refusal(`another snapshot was taken at the same moment, ${held}, with other content`)
  }
  return sameContent && candidate.parserVersion === last.parserVersion ? 'unchanged' : 'new'
}
