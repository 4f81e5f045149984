import type { Watch } from '@baize/register-fetcher'
import type { Cadence, FixedRequest, Official, RecordKind, Resolve, Stream } from '@baize/registers'
import { type Obstacle, obstaclesOfStreams } from '@baize/registers/entries'
import { noHistory, type Removal, type RemovalHistory, removalBound } from '@baize/registers/guard'
import type { World } from '../database/open.ts'
import { truthStateOf } from '../features/signals/index.ts'
import type { StreamKind } from '../features/source-facts.ts'
import { readProbes } from './acquire/probes-store.ts'
import { readWatches } from './acquire/watch-store.ts'
import { readRemovalHistories } from './guard/removal-history-store.ts'
import { countOpenFacts, type OpenFacts, readStreamStates, type StreamState } from './list-registers-store.ts'
import { kindOf, publishedFields } from './published-fields.ts'
import { type QuarantinedSnapshot, readQuarantinedSnapshots } from './snapshot/quarantine-store.ts'

export type RegisterListing = {
  stream: string
  market: string
  regulator: string
  covers: readonly ('register' | 'blocklist')[]
  kind: StreamKind
  official_url: string
  /** The way in which the first official file is found; null when the address of no file is known. */
  resolve: Resolve['by'] | null
  /** The fixed request of the first official file; null for a GET. */
  request: FixedRequest | null
  /** The addresses that a fetch begins with. Is empty if the address of no file is known. */
  fetched_from: { url: string; resolve: Resolve['by'] }[]
  format: string
  language: string
  layout: 'recorded' | 'described'
  layout_recorded_at: string | null
  terms: string | null
  /** The sources of the facts, in words. */
  sources: Official['sources']
  /** The reason why its address may not be readable; null when no reason is known. */
  known_obstacle: Obstacle | null
  ends_with_line_break: boolean
  cadence: Cadence
  publishes: string[]
  rows_min: number
  rows_max: number | null
  /** What the next snapshot may remove, of kinds with records in force. */
  removal_bounds: Partial<Record<keyof OpenFacts, RemovalBoundListing>>
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
  /** The time of the last look at its official address; null without one. */
  last_probed_at: Date | null
  truth_state: ReturnType<typeof truthStateOf>
  held: Omit<QuarantinedSnapshot, 'stream'> | null
  watched: {
    urls: string[]
    /** Whether each fetch finds the files from the official address. */
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
  const histories = await readRemovalHistories(database)
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
      const openFacts = withoutStream(facts.get(key)) ?? noFacts
      return {
        stream: key,
        market,
        regulator,
        covers,
        kind: kindOf(covers),
        official_url: officialUrl,
        resolve: official.files[0]?.resolve.by ?? null,
        request: official.files[0]?.request ?? null,
        fetched_from: official.files.map(({ url, resolve }) => ({ url, resolve: resolve.by })),
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
        removal_bounds: removalBounds(openFacts, histories.get(key) ?? noHistory),
        last_snapshot: state === undefined ? null : snapshotOf(state),
        last_taken_at: state?.last_taken_at ?? null,
        last_confirmed_at: state?.last_confirmed_at ?? null,
        last_run_at: state?.last_run_at ?? null,
        last_probed_at: probes.get(key)?.probed_at ?? null,
        truth_state: truthStateOf(
          {
            is_quarantined: quarantined.has(key),
            last_confirmed_at: state?.last_confirmed_at ?? null,
            cadence_hours: cadence.hours,
          },
          now,
        ),
        held: withoutStream(quarantined.get(key)) ?? null,
        watched: watchedOf(watches.get(key)),
        open_facts: openFacts,
      }
    },
  )
}

const noFacts: OpenFacts = { licenses: 0, authorisations: 0, blocklist_entries: 0 }

/** A bound with the figures that it follows. */
type RemovalBoundListing = {
  bound: number
  share: number
  /** The largest removal of an earlier snapshot; null if none removed any. */
  largest_removal: Removal | null
  /** The number of applied snapshots that were compared with one before. */
  snapshots: number
}

const kinds: Record<keyof OpenFacts, RecordKind> = {
  licenses: 'license',
  authorisations: 'authorisation',
  blocklist_entries: 'blocklist_entry',
}

function removalBounds(facts: OpenFacts, history: RemovalHistory): RegisterListing['removal_bounds'] {
  const names = (Object.keys(kinds) as (keyof OpenFacts)[]).filter(name => facts[name] > 0)
  return Object.fromEntries(
    names.map(name => {
      const { bound, share, largest, snapshots } = removalBound(kinds[name], facts[name], history)
      return [name, { bound, share, largest_removal: largest, snapshots }]
    }),
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
