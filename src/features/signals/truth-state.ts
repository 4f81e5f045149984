import type { TruthState } from './feed-schemas.ts'

/** What is known of a source of Signals. */
export type SourceState = {
  source_stream_key: string | null
  isHeld: boolean
  hold_reasons: string[]
  last_confirmed_at: Date | null
  /** How often it says something new; null: not known. */
  cadenceHours: number | null
}

const staleAfterCadences = 3
const hourMs = 3_600_000

/** How far a source's silence can be believed. What is held aside comes first: it says why the rest is old. */
export function truthStateOf(source: SourceState, now: Date): TruthState {
  if (source.isHeld) return 'held'
  if (source.last_confirmed_at === null) return 'not_covered'
  if (source.cadenceHours === null) return 'confirmed'
  const ageMs = now.getTime() - source.last_confirmed_at.getTime()
  return ageMs > staleAfterCadences * source.cadenceHours * hourMs ? 'stale' : 'confirmed'
}

function describeSource(source: SourceState, now: Date) {
  return {
    source_stream_key: source.source_stream_key,
    truth_state: truthStateOf(source, now),
    hold_reasons: source.isHeld ? source.hold_reasons : [],
    last_confirmed_at: source.last_confirmed_at?.toISOString() ?? null,
  }
}

/** Never an empty list: a market of which nothing is read says so, as does a stream that is not one of its own. */
export function describeSources(sources: readonly SourceState[], asked: string | null, now: Date) {
  if (sources.length > 0) return sources.map(source => describeSource(source, now))
  const nothing = {
    source_stream_key: asked,
    isHeld: false,
    hold_reasons: [],
    last_confirmed_at: null,
    cadenceHours: null,
  }
  return [describeSource(nothing, now)]
}
