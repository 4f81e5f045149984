/**
 * What a page was read from, each a column of the page's own statement: it is told of the very moment that the page is of,
 * so that what the page lacks no source claimed either, and it takes no round trip of its own.
 */
import type { SourceState } from './truth-state.ts'

/** As they stand in the column, an array of them; moments as PostgreSQL writes them in JSON. */
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
                                                'hold_reasons', held.hold_reasons,
                                                'last_confirmed_at', source.last_confirmed_at,
                                                'cadence_hours', source.cadence_hours)
                              order by source.stream collate "C")
                from register_streams source
                left join register_snapshots held on held.id = source.held_snapshot_id
               where ${condition})`

/** The streams that the market $1 is read from, or its stream $2 alone. */
export const streamsOfMarket = streamsWhere(`source.market = $1
                 and ($2::text is null or source.stream = $2)`)

/** The registers of the market $1; blocklists have nothing to say of who enters it. */
export const registersOfMarket = streamsWhere(`source.market = $1
                 and 'register' = any (source.covers)`)

/** Sites are captured by observation and by imports, and no register says how often: a month is what is hoped for. */
const captureCadenceHours = 30 * 24
const captureSource = 'site_captures'

/** Where the sites of the platform $1 are known from: its readings, the latest of which was seen when it says. */
export const capturesOfPlatform = `
             (select json_build_array(json_build_object('stream', '${captureSource}', 'is_held', false,
                                                        'hold_reasons', null, 'last_confirmed_at', max(seen_at),
                                                        'cadence_hours', ${captureCadenceHours}))
                from platform_readings
               where platform_id = $1::bigint)`

export function readSource(row: SourceRow): SourceState {
  return {
    source_stream_key: row.stream,
    isHeld: row.is_held,
    hold_reasons: row.hold_reasons ?? [],
    last_confirmed_at: row.last_confirmed_at === null ? null : new Date(row.last_confirmed_at),
    cadenceHours: row.cadence_hours,
  }
}
