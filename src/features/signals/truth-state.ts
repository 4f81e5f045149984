import { type SourceTruth, truthStateOf } from '../truth-state.ts'

export type SourceState = SourceTruth & {
  source_stream_key: string | null
  hold_reasons: string[]
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
