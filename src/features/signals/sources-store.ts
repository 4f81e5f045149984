/** Columns of the page's own statement: read at the same moment, in one round trip. */
import type { SourceState } from './truth-state.ts'

export type SourceRow = {
  stream: string
  is_held: boolean
  hold_reasons: string[] | null
  last_confirmed_at: string | null
  cadence_hours: number | null
}

const streamsWhere = (condition: string) => `
             (select json_agg(json_build_object('stream', source.stream,
                                                'is_held', source.held_snapshot_id is not null,
                                                'hold_reasons', quarantined.hold_reasons,
                                                'last_confirmed_at', source.last_confirmed_at,
                                                'cadence_hours', source.cadence_hours)
                              order by source.stream collate "C")
                from register_streams source
                left join register_snapshots quarantined on quarantined.id = source.held_snapshot_id
               where ${condition})`

export const streamsOfMarket = streamsWhere(`source.market = $1
                 and ($2::text is null or source.stream = $2)`)

/** Lists without licenses of operators make no market entries. */
export const entrySourcesOfMarket = streamsWhere(`source.market = $1
                 and source.makes_market_entries`)

/** Observations and imports have no fixed interval: a month is the target. */
const captureCadenceHours = 30 * 24
const captureSource = 'site_captures'

export const capturesOfPlatform = `
             (select json_build_array(json_build_object('stream', '${captureSource}', 'is_held', false,
                                                        'hold_reasons', null,
                                                        'last_confirmed_at', max(seen_at),
                                                        'cadence_hours', ${captureCadenceHours}))
                from platform_readings
               where platform_id = $1::bigint)`

export function readSource(row: SourceRow): SourceState {
  return {
    source_stream_key: row.stream,
    isQuarantined: row.is_held,
    hold_reasons: row.hold_reasons ?? [],
    last_confirmed_at: row.last_confirmed_at === null ? null : new Date(row.last_confirmed_at),
    cadenceHours: row.cadence_hours,
  }
}
