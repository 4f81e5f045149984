import type { World } from '../../database/open.ts'
import type { SourceState } from './truth-state.ts'

type SourceRow = {
  stream: string
  is_held: boolean
  hold_reasons: string[] | null
  last_confirmed_at: Date | null
  cadence_hours: number | null
}

/** The streams that a market is read from, or one of them; registers alone where blocklists have nothing to say. */
export async function readMarketSources(
  world: World,
  asked: { market: string; stream: string | null; registersOnly: boolean },
): Promise<SourceState[]> {
  const rows = await world.read<SourceRow>({
    name: 'signal_sources',
    text: `
      select source.stream, source.held_snapshot_id is not null as is_held, held.hold_reasons,
             source.last_confirmed_at, source.cadence_hours
        from register_streams source
        left join register_snapshots held on held.id = source.held_snapshot_id
       where source.market = $1
         and ($2::text is null or source.stream = $2)
         and (not $3::boolean or 'register' = any (source.covers))
       order by source.stream collate "C"`,
    values: [asked.market, asked.stream, asked.registersOnly],
  })
  return rows.map(row => ({
    source_stream_key: row.stream,
    isHeld: row.is_held,
    hold_reasons: row.hold_reasons ?? [],
    last_confirmed_at: row.last_confirmed_at,
    cadenceHours: row.cadence_hours,
  }))
}

/** Sites are captured by observation and by imports, and no register says how often: a month is what is hoped for. */
const captureCadenceHours = 30 * 24
const captureSource = 'site_captures'

/** Where the sites of a platform are known from: its readings, the latest of which was seen when it says. */
export async function readPlatformSource(world: World, platformId: number): Promise<SourceState[]> {
  const rows = await world.read<{ last_seen_at: Date | null }>({
    name: 'platform_source',
    text: 'select max(seen_at) as last_seen_at from platform_readings where platform_id = $1::bigint',
    values: [platformId],
  })
  return [
    {
      source_stream_key: captureSource,
      isHeld: false,
      hold_reasons: [],
      last_confirmed_at: rows[0]?.last_seen_at ?? null,
      cadenceHours: captureCadenceHours,
    },
  ]
}
