import { sql } from 'kysely'
import type { StreamKind } from '../../core/published-fields.ts'
import type { World } from '../../database/open.ts'
import { truthStateOf } from '../truth-state.ts'

type CheckedRow = {
  stream: string
  market: string
  kind: StreamKind
  last_taken_at: Date
  last_confirmed_at: Date | null
  is_quarantined: boolean
  cadence_hours: number | null
}

/** The streams that `checked` counts. */
export async function readCheckedStreams(world: World, now: Date) {
  const { rows } = await sql<CheckedRow>`
    select stream, market, last_taken_at, last_confirmed_at,
           case when cardinality(covers) > 1 then 'register_and_blocklist' else covers[1] end as kind,
           held_snapshot_id is not null as is_quarantined, cadence_hours
      from register_streams
     where last_taken_at is not null
     order by market collate "C", stream collate "C"`.execute(world.replica)
  return rows.map(row => ({
    stream: row.stream,
    market: row.market,
    kind: row.kind,
    last_snapshot_at: row.last_taken_at.toISOString(),
    truth_state: truthStateOf(
      {
        isQuarantined: row.is_quarantined,
        last_confirmed_at: row.last_confirmed_at,
        cadenceHours: row.cadence_hours,
      },
      now,
    ),
  }))
}
