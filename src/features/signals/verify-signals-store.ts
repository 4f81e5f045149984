import { sql } from 'kysely'
import { differencesShownMax } from '../../core/verification.ts'
import type { Database } from '../../database/open.ts'

type SignalDifference = { what: string; stored: unknown; counted: unknown }

export async function verifySignals(database: Database): Promise<SignalDifference[]> {
  const { rows: numbers } = await sql<{ last_number: number; signals: number; first: number; last: number }>`
    select sequence.last_number, counted.*
      from signal_sequence sequence,
           (select count(*) as signals, coalesce(min(number), 1) as first, coalesce(max(number), 0) as last
              from signals) counted`.execute(database)
  const numbering = numbers[0]
  if (numbering === undefined) throw new Error('the table signal_sequence is empty; expected one row')
  const differences: SignalDifference[] = []
  const expect = (what: string, stored: number, counted: number) => {
    if (stored !== counted) differences.push({ what, stored, counted })
  }
  expect('the sequence is the last number', numbering.last_number, numbering.last)
  expect('the first number is 1', numbering.first, 1)
  expect('there are as many Signals as numbers', numbering.last, numbering.signals)
  return [...differences, ...(await countDifferences(database))]
}

async function countDifferences(database: Database): Promise<SignalDifference[]> {
  const { rows } = await sql<SignalDifference>`
    with days as materialized (
      select feed.name as feed, coalesce(market, '') as market, coalesce(stream, '') as stream, event_type,
             coalesce(platform_id, 0) as platform_id, (occurred_at at time zone 'UTC')::date as day,
             count(*) as signals, min(number) as first_number, max(number) as last_number
        from signals
       cross join lateral (
         select 'platform_sites' as name where platform_id is not null
         union all
         select 'register_changes' where platform_id is null
         union all
         select 'market_entries' where is_market_entry
       ) feed
       group by 1, 2, 3, 4, 5, 6
    ),
    months as (
      select feed, market, stream, event_type, platform_id, date_trunc('month', day)::date as month,
             sum(signals)::bigint as signals, min(first_number) as first_number,
             max(last_number) as last_number
        from days
       group by feed, market, stream, event_type, platform_id, date_trunc('month', day)::date
    ),
    totals as (
      select feed, market, stream, event_type, platform_id, sum(signals)::bigint as signals,
             min(first_number) as first_number, max(last_number) as last_number
        from days
       group by feed, market, stream, event_type, platform_id
    )
    select concat_ws(' ', 'signal_counts', feed, market, stream, event_type, nullif(platform_id, 0),
                     day) as what,
           json_build_array(stored.signals, stored.first_number, stored.last_number) as stored,
           json_build_array(days.signals, days.first_number, days.last_number) as counted
      from signal_counts stored
      full join days using (feed, market, stream, event_type, platform_id, day)
     where (stored.signals, stored.first_number, stored.last_number)
           is distinct from (days.signals, days.first_number, days.last_number)
    union all
    select concat_ws(' ', 'signal_months', feed, market, stream, event_type, nullif(platform_id, 0), month),
           json_build_array(stored.signals, stored.first_number, stored.last_number),
           json_build_array(months.signals, months.first_number, months.last_number)
      from signal_months stored
      full join months using (feed, market, stream, event_type, platform_id, month)
     where (stored.signals, stored.first_number, stored.last_number)
           is distinct from (months.signals, months.first_number, months.last_number)
    union all
    select concat_ws(' ', 'signal_totals', feed, market, stream, event_type, nullif(platform_id, 0)),
           json_build_array(stored.signals, stored.first_number, stored.last_number),
           json_build_array(totals.signals, totals.first_number, totals.last_number)
      from signal_totals stored
      full join totals using (feed, market, stream, event_type, platform_id)
     where (stored.signals, stored.first_number, stored.last_number)
           is distinct from (totals.signals, totals.first_number, totals.last_number)
     order by what
     limit ${differencesShownMax}`.execute(database)
  return rows
}
