import type { PointRead } from '@baize/postgres'
import { Failure } from '../../core/failure.ts'
import type { World } from '../../database/open.ts'
import { instantText } from '../json-text-store.ts'
import { canonicalSha256 } from './canonical-json.ts'

/** JSON text: the evidence of an answer, and the last numbers at that moment. `kid` is the key that signs. */
export type Evidence = { evidence: string; position: string; kid: string | null }

const streamsText = (from: string) => `(
      select coalesce(json_agg(json_build_object(
               'stream', source.stream, 'snapshot_ref', source.snapshot_ref,
               'taken_at', ${instantText('source.last_taken_at')},
               'files', coalesce((
                 select json_agg(file.value ->> 'sha256' order by file.ordinality)
                   from jsonb_array_elements(source.files) with ordinality file
               ), '[]')) order by source.stream collate "C"), '[]')
        from ${from} source
    )`

const streamsNow = streamsText(`(
          select source.stream, source.last_taken_at, snapshot.snapshot_ref, snapshot.files
            from register_streams source
            left join register_snapshots snapshot
              on snapshot.stream = source.stream and snapshot.number = source.snapshot_number
           where source.last_taken_at is not null
        )`)

/** Selects the streams that parameters list: their keys, when they were read, and their snapshots. */
export const streamsGiven = (keys: string, takenAt: string, refs: string) =>
  streamsText(`(
          select source.stream, source.last_taken_at, source.snapshot_ref, snapshot.files
            from unnest(${keys}::text[], ${takenAt}::timestamptz[], ${refs}::text[])
                   as source (stream, last_taken_at, snapshot_ref)
            left join register_snapshots snapshot using (snapshot_ref)
        )`)

/** Names the last event. A failover can lose an event and use its number again, at another time. */
const lastEvent = `coalesce((
        select concat(number, ':', extract(epoch from committed_at))
          from dataset_events order by number desc limit 1
      ), 'none')`

/** A FROM item of one row: the last event, the last numbers, and the key that signs. */
export const stateNow = `(
      select ${lastEvent} as event,
             '{"signals":' || (select last_number from signal_sequence) || ',"verdict_changes":'
               || (select coalesce(max(number), 0) from verdict_changes) || '}' as position,
             (select kid from receipt_keys where retired_at is null) as kid
      offset 0
    )`

/** Selects the rows as published that `from` has in `fact`. */
export const factsJson = (from: string) => `(
      select coalesce(json_agg(fact), '[]') from ${from} decided
    )`

/**
 * Returns a statement that reads the rows of the query `decided` and `streams` at one moment. `isCurrent`
 * tests that the answer is of this moment.
 */
export const evidenceText = (ctes: string, streams: string, isCurrent = 'true') => `
  with ${ctes}
  select (${isCurrent}) as is_current, state.event, state.position, state.kid,
         ${factsJson('decided')} as decided, ${streams} as streams
    from ${stateNow} state`

/** What a receipt says of a stream, in the order of its members. */
type StreamRead = { stream: string; snapshot_ref: string | null; taken_at: string | null; files: string[] }

/** A row as published, whose digest a receipt has. Values are texts or null. */
type Fact = { stream: string; record_key: string }

/** The row of a statement; those of another day have `streams`. */
export type EvidenceRow = {
  event: string
  position: string
  kid: string | null
  decided: Fact[]
  streams?: readonly StreamRead[]
}

/** The streams at an event, and the evidence of all of them without rows, written once. */
type StreamsAt = { event: string; streams: readonly StreamRead[]; written?: string }

/** Reads the streams of now, unless they are of a later event than the key. */
const streamsAtEvent: PointRead<StreamsAt> = {
  name: 'receipt_streams',
  text: `
    select state.event, ${streamsNow} as streams
      from ${stateNow} state
     where state.event = any ($1::text[])`,
  keyOf: row => row.event,
}

const lastRead = new WeakMap<World, StreamsAt>()

type Read = { rows: readonly EvidenceRow[]; isAll: boolean }

/**
 * Writes the evidence of now. Only events change streams, so those of the last event are cached. Returns null
 * if another event came after the rows were read.
 */
export async function evidenceNow(world: World, read: Read): Promise<Evidence | null> {
  const event = read.rows[0]?.event ?? ''
  let at = lastRead.get(world)
  if (at?.event !== event) {
    at = await world.primary.readByKey(streamsAtEvent, event)
    if (at === undefined) return null
    lastRead.set(world, at)
  }
  return evidenceOf(read, at)
}

/** Writes the evidence of another day. */
export const evidenceThen = (read: Read): Evidence =>
  evidenceOf(read, { streams: read.rows[0]?.streams ?? [] })

/** Lists the streams that decided, or every stream (`isAll`), with their rows. */
function evidenceOf({ rows, isAll }: Read, at: Omit<StreamsAt, 'event'>): Evidence {
  const { position, kid } = rows[0] as EvidenceRow
  const decided = Map.groupBy(
    rows.flatMap(row => row.decided),
    ({ stream }) => stream,
  )
  if (isAll && decided.size === 0) {
    at.written ??= JSON.stringify(at.streams.map(stream => ({ ...stream, rows: [] })))
    return { evidence: at.written, position, kid }
  }
  const read = new Set(at.streams.map(({ stream }) => stream))
  const others = [...decided.keys()].filter(stream => !read.has(stream))
  const named = [
    ...at.streams.filter(({ stream }) => isAll || decided.has(stream)),
    ...others.map(stream => ({ stream, snapshot_ref: null, taken_at: null, files: [] })),
  ].sort((one, other) => (one.stream < other.stream ? -1 : 1))
  const evidence = named.map(each => ({ ...each, rows: distinctRows(decided.get(each.stream) ?? []) }))
  return { evidence: JSON.stringify(evidence), position, kid }
}

const distinctRows = (facts: readonly Fact[]) =>
  facts
    .map(fact => [fact.record_key, canonicalSha256(fact)] as const)
    .sort(([one, hash], [other, otherHash]) =>
      one === other ? (hash < otherHash ? -1 : 1) : one < other ? -1 : 1,
    )
    .filter(([key, hash], place, sorted) => key !== sorted[place - 1]?.[0] || hash !== sorted[place - 1]?.[1])

const readingsMax = 5

/** Reads an answer of one state of the facts, which `read` returns if its parts are of the same state. */
export async function readOfOneState<Result>(read: () => Promise<Result | null>): Promise<Result> {
  for (let reading = 1; reading <= readingsMax; reading += 1) {
    const result = await read()
    if (result !== null) return result
  }
  throw new Failure('service_unavailable')
}
