import type { ResolveDomainsAnswer } from '../index.ts'
import type { Table } from './output.ts'
import type { Screened } from './screen-batches.ts'

type Stream = NonNullable<ResolveDomainsAnswer['checked']['streams']>[number]
type Verdict = Pick<ResolveDomainsAnswer['verdicts'][number], 'licensed_by' | 'blocked_by' | 'mentioned_by'>
export type Source = Pick<Stream, 'stream' | 'snapshot_ref' | 'last_snapshot_at'>

/** Returns the snapshots behind the listings of a verdict. `no_record` has none: all streams lack it. */
export function sourcesOf(row: Verdict, streams: readonly Stream[]): Source[] {
  const marketsOf = (listings: readonly { geo: string }[]) => new Set(listings.map(({ geo }) => geo))
  const licensing = marketsOf(row.licensed_by)
  const blocking = marketsOf([...row.blocked_by, ...row.mentioned_by])
  return streams
    .filter(
      ({ market, kind }) =>
        (kind !== 'blocklist' && licensing.has(market)) || (kind !== 'register' && blocking.has(market)),
    )
    .map(({ stream, snapshot_ref, last_snapshot_at }) => ({ stream, snapshot_ref, last_snapshot_at }))
}

const streamsOf = ({ data }: Screened): readonly Stream[] => data.checked.streams ?? []

/** Returns all snapshots behind each request, also those that have none of its domains. */
export function snapshotTable(answers: readonly Screened[]): Table {
  const titles = ['request_id', 'checked_at', 'market', 'stream', 'kind', 'snapshot_ref', 'last_snapshot_at']
  const lines = answers.flatMap(answer =>
    streamsOf(answer).map(({ market, stream, kind, snapshot_ref, last_snapshot_at }) => [
      answer.requestId,
      answer.timestamp,
      market,
      stream,
      kind,
      snapshot_ref ?? '',
      last_snapshot_at,
    ]),
  )
  return { titles, lines }
}

/** Counts the states of the registers that a run has met. Answers of an older journal do not show theirs. */
export const countStates = (answers: readonly Screened[]): number =>
  new Set(
    answers
      .filter(({ data }) => data.checked.streams !== undefined)
      .map(answer =>
        JSON.stringify(
          streamsOf(answer).map(({ snapshot_ref, last_snapshot_at }) => [snapshot_ref, last_snapshot_at]),
        ),
      ),
  ).size
