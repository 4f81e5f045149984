import type { World } from '../../database/open.ts'
import type { FeedName } from './draft.ts'

export type SignalDay = { day: string; signals: number }

type Of = {
  feed: FeedName
  market?: string | undefined
  platform?: string | undefined
  eventType?: string | undefined
  daysMax: number
}

/** Counts the Signals of a feed by day of occurrence (UTC), the newest day first. */
export const readSignalDays = (world: World, { feed, market, platform, eventType, daysMax }: Of) =>
  world.read<SignalDay>({
    name: 'signal_days',
    text: `
      select day::text as day, sum(signals)::int as signals
        from signal_counts
       where feed = $1
         and market = coalesce($2, '')
         and platform_id = coalesce((select id from platforms where platform_key = $3), 0)
         and ($4::text is null or event_type = $4)
       group by day
       order by signal_counts.day desc
       limit $5`,
    values: [feed, market ?? null, platform ?? null, eventType ?? null, daysMax],
  })
