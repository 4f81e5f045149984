import type { TruthState } from './feed-schemas.ts'

export type SourceState = {
  source_stream_key: string | null
  isQuarantined: boolean
  hold_reasons: string[]
  last_confirmed_at: Date | null
  /** The usual interval between publications; null: unknown. */
  cadenceHours: number | null
}

const staleAfterCadences = 3
const hourMs = 3_600_000

/** A quarantined snapshot comes first: it explains why the rest is old. */
export function truthStateOf(source: SourceState, now: Date): TruthState {
  if (source.isQuarantined) return 'held'
  if (source.last_confirmed_at === null) return 'not_covered'
  if (source.cadenceHours === null) return 'confirmed'
  const ageMs = now.getTime() - source.last_confirmed_at.getTime()
  return ageMs > staleAfterCadences * source.cadenceHours * hourMs ? 'stale' : 'confirmed'
}

function describeSource(source: SourceState, now: Date) {
  return {
    source_stream_key: source.source_stream_key,
    truth_state: truthStateOf(source, now),
    hold_reasons: source.isQuarantined ? source.hold_reasons : [],
    last_confirmed_at: source.last_confirmed_at?.toISOString() ?? null,
  }
}

/** Never empty: a missing source is one `not_covered` entry. */
export function describeSources(sources: readonly SourceState[], requested: string | null, now: Date) {
  if (sources.length > 0) return sources.map(source => describeSource(source, now))
  const notCovered = {
    source_stream_key: requested,
    isQuarantined: false,
    hold_reasons: [],
    last_confirmed_at: null,
    cadenceHours: null,
  }
  return [describeSource(notCovered, now)]
}
