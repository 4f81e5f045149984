import { type Obstacle, obstaclesOfStreams } from '../core/known-obstacles.ts'
import type { StreamKind } from '../core/published-fields.ts'
import type { World } from '../database/open.ts'
import { truthStateOf } from '../features/signals/index.ts'
import { readWatches, type Watch } from './fetch/watch-store.ts'
import { countOpenFacts, type OpenFacts, readStreamStates, type StreamState } from './list-registers-store.ts'
import { readProbes } from './official/probes-store.ts'
import { kindOf, publishedFields } from './published-fields.ts'
import { type QuarantinedSnapshot, readQuarantinedSnapshots } from './snapshot/quarantine-store.ts'
import type { Cadence, Official, Resolve, Stream } from './stream.ts'

export type RegisterListing = {
  stream: string
  market: string
  regulator: string
  covers: readonly ('register' | 'blocklist')[]
  kind: StreamKind
  official_url: string
  /** Of the first official file; null: the address of no file is known. */
  resolve: Resolve['by'] | null
  format: string
  language: string
  layout: 'recorded' | 'described'
  layout_recorded_at: string | null
  terms: string | null
  /** Where the facts come from, in words. */
  sources: Official['sources']
  /** Why its address may not be readable; null: nothing is known. */
  known_obstacle: Obstacle | null
  ends_with_line_break: boolean
  cadence: Cadence
  publishes: string[]
  rows_min: number
  rows_max: number | null
  last_snapshot: {
    snapshot_ref: string
    number: number
    taken_at: Date
    applied_at: Date
    rows: number
    rejected: number
    undecided: number
  } | null
  last_taken_at: Date | null
  last_confirmed_at: Date | null
  last_run_at: Date | null
  /** When its official address was last looked at; null: never. */
  last_probed_at: Date | null
  truth_state: ReturnType<typeof truthStateOf>
  held: Omit<QuarantinedSnapshot, 'stream'> | null
  watched: {
    urls: string[]
    /** Whether the files are found from the official address at each fetch. */
    is_official: boolean
    every_minutes: number
    last_at: Date | null
    failures: number
  } | null
  open_facts: OpenFacts
}

export async function listRegisters(
  world: World,
  streams: readonly Stream[],
  now: Date,
): Promise<RegisterListing[]> {
  const { database } = world
  const states = byStream(await readStreamStates(database))
  const quarantined = byStream(await readQuarantinedSnapshots(database))
  const watches = byStream(await readWatches(database))
  const facts = byStream(await countOpenFacts(database))
  const probes = byStream(await readProbes(database))
  return streams.map(
    ({
      key,
      market,
      regulator,
      covers,
      officialUrl,
      official,
      format,
      cadence,
      rowsMin,
      rowsMax,
      ...stream
    }) => {
      const state = states.get(key)
      return {
        stream: key,
        market,
        regulator,
        covers,
        kind: kindOf(covers),
        official_url: officialUrl,
        resolve: official.files[0]?.resolve.by ?? null,
        format,
        language: official.language,
        layout: official.layout,
        layout_recorded_at: official.layoutRecordedAt,
        terms: official.terms,
        sources: official.sources,
        known_obstacle: obstaclesOfStreams[key] ?? null,
        ends_with_line_break: stream.endsWithLineBreak,
        cadence,
        publishes: publishedFields(stream.publishes),
        rows_min: rowsMin,
        rows_max: rowsMax,
        last_snapshot: state === undefined ? null : snapshotOf(state),
        last_taken_at: state?.last_taken_at ?? null,
        last_confirmed_at: state?.last_confirmed_at ?? null,
        last_run_at: state?.last_run_at ?? null,
        last_probed_at: probes.get(key)?.probed_at ?? null,
        truth_state: truthStateOf(
          {
            isQuarantined: quarantined.has(key),
            last_confirmed_at: state?.last_confirmed_at ?? null,
            cadenceHours: cadence.hours,
          },
          now,
        ),
        held: withoutStream(quarantined.get(key)) ?? null,
        watched: watchedOf(watches.get(key)),
        open_facts: withoutStream(facts.get(key)) ?? { licenses: 0, authorisations: 0, blocklist_entries: 0 },
      }
    },
  )
}

function snapshotOf(state: StreamState): RegisterListing['last_snapshot'] {
  const { snapshot_ref, number, taken_at, applied_at, rows, rejected, undecided } = state
  if (snapshot_ref === null || number === null || taken_at === null || applied_at === null) return null
  const read = { rows: rows ?? 0, rejected: rejected ?? 0, undecided: undecided ?? 0 }
  return { snapshot_ref, number, taken_at, applied_at, ...read }
}

function watchedOf(watch: Watch | undefined): RegisterListing['watched'] {
  if (watch === undefined) return null
  const { urls, isOfficial: is_official, everyMinutes: every_minutes, watchedAt: last_at, failures } = watch
  return { urls, is_official, every_minutes, last_at, failures }
}

function byStream<Row extends { stream: string }>(rows: readonly Row[]): Map<string, Row> {
  return new Map(rows.map(row => [row.stream, row]))
}

function withoutStream<Row extends { stream: string }>(
  row: Row | undefined,
): Omit<Row, 'stream'> | undefined {
  if (row === undefined) return undefined
  const { stream: _, ...rest } = row
  return rest
}
