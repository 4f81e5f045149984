/** Selects sources in the page's own statement, so that both are read at one moment in one round trip. */
import { type SourceTruth, truthStateOf } from '../source-facts.ts'

export type SourceRow = {
  stream: string
  is_quarantined: boolean
  hold_reasons: string[] | null
  last_confirmed_at: string | null
  cadence_hours: number | null
}

const streamsWhere = (condition: string) => `
             (select json_agg(json_build_object('stream', source.stream,
                                                'is_quarantined', source.quarantined_snapshot_id is not null,
                                                'hold_reasons', quarantined.hold_reasons,
                                                'last_confirmed_at', source.last_confirmed_at,
                                                'cadence_hours', source.cadence_hours)
                              order by source.stream collate "C")
                from register_streams source
                left join register_snapshots quarantined on quarantined.id = source.quarantined_snapshot_id
               where ${condition})`

export const streamsOfMarket = streamsWhere(`source.market = $1
                 and ($2::text is null or source.stream = $2)`)

/** Selects the streams of market entries. Lists without licenses of operators have no market entries. */
export const entrySourcesOfMarket = streamsWhere(`source.market = $1
                 and source.makes_market_entries`)

/** A month is the target interval, because observations and imports have no fixed one. */
const captureCadenceHours = 30 * 24
const captureSource = 'site_captures'

export const capturesOfPlatform = `
             (select json_build_array(json_build_object('stream', '${captureSource}', 'is_quarantined', false,
                                                        'hold_reasons', null,
                                                        'last_confirmed_at', max(seen_at),
                                                        'cadence_hours', ${captureCadenceHours}))
                from platform_readings
               where platform_id = $1::bigint)`

export function readSource(row: SourceRow): SourceState {
  return {
    source_stream_key: row.stream,
    is_quarantined: row.is_quarantined,
    hold_reasons: row.hold_reasons ?? [],
    last_confirmed_at: row.last_confirmed_at === null ? null : new Date(row.last_confirmed_at),
    cadence_hours: row.cadence_hours,
  }
}

export type SourceState = SourceTruth & {
  source_stream_key: string | null
  hold_reasons: string[]
}

function describeSource(source: SourceState, now: Date) {
  return {
    source_stream_key: source.source_stream_key,
    truth_state: truthStateOf(source, now),
    hold_reasons: source.is_quarantined ? source.hold_reasons : [],
    last_confirmed_at: source.last_confirmed_at?.toISOString() ?? null,
  }
}

/** Describes sources. The list is never empty: a missing source is one `not_covered` entry. */
export function describeSources(sources: readonly SourceState[], requested: string | null, now: Date) {
  if (sources.length > 0) return sources.map(source => describeSource(source, now))
  const notCovered = {
    source_stream_key: requested,
    is_quarantined: false,
    hold_reasons: [],
    last_confirmed_at: null,
    cadence_hours: null,
  }
  return [describeSource(notCovered, now)]
}
