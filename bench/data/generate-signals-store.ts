import { sql } from 'kysely'
import type { Database } from '../../src/database/open.ts'

const atOnce = 500_000
/** A market that is listed several times gets more Signals. */
const markets = 'czechia czechia czechia czechia ukgc ukgc sweden estonia'.split(' ')

/** Inserts Signals, the same in every run: two years, eight markets of different sizes, all event types. */
export async function generateSignals(database: Database, signals: number): Promise<void> {
  await database.connection().execute(async connection => {
    await sql`set statement_timeout = 0`.execute(connection)
    await sql`truncate signals, signal_counts, signal_months, signal_totals`.execute(connection)
    for (let first = 1; first <= signals; first += atOnce) {
      const last = Math.min(first + atOnce - 1, signals)
      await sql`
        insert into signals
          (number, signal_ref, type, stream, market, event_type, record_kind, record_key, is_market_entry,
           published_legal_name, headline, occurred_at, detected_at, content)
        select number, 'sig_bench' || number, 'register_change', market || '.blocklist', market,
               case
                 when number % 1000 = 3 then 'revoked'
                 when number % 10 = 1 then 'removed_from_register'
                 when number % 50 = 7 then 'published_status_changed'
                 else 'added_to_register'
               end,
               'license', 'L' || number, false, 'Bench Gaming ' || number % 5000 || ' Limited',
               'Bench Gaming ' || number % 5000 || ' Limited: added to the register of a bench',
               happened_at, happened_at,
               json_build_object(
                 'license', json_build_object(
                   'license_number', 'L-' || number, 'license_type', 'Remote', 'status', 'active',
                   'issued_at', '2024-01-01', 'expires_at', null, 'source_url', null),
                 'role', 'operator', 'brand', null,
                 'authorized_domains', json_build_array('play' || number || '.example'),
                 'change_set', json_build_object('after', '{"authorized_domains": []}'::json),
                 'source_url', 'https://regulator.example/', 'observed_at', '2024-01-01T00:00:00.000Z')
          from generate_series(${first}::bigint, ${last}::bigint) as number
         cross join lateral (
           select (${markets}::text[])[1 + number % ${markets.length}] as market,
                  '2024-01-01'::timestamptz
                    + number::float8 / ${signals}::float8 * interval '730 days' as happened_at
         ) drawn`.execute(connection)
    }
    await sql`update signal_sequence set last_number = ${signals}`.execute(connection)
    await sql`
      insert into signal_counts
        (feed, market, stream, event_type, platform_id, day, signals, first_number, last_number)
      select 'register_changes', market, stream, event_type, 0, (occurred_at at time zone 'UTC')::date,
             count(*), min(number), max(number)
        from signals
       group by 2, 3, 4, 6`.execute(connection)
    await sql`
      insert into signal_months
        (feed, market, stream, event_type, platform_id, month, signals, first_number, last_number)
      select feed, market, stream, event_type, platform_id, date_trunc('month', day)::date, sum(signals),
             min(first_number), max(last_number)
        from signal_counts
       group by 1, 2, 3, 4, 5, 6`.execute(connection)
    await sql`
      insert into signal_totals
        (feed, market, stream, event_type, platform_id, signals, first_number, last_number)
      select feed, market, stream, event_type, platform_id, sum(signals), min(first_number), max(last_number)
        from signal_counts
       group by 1, 2, 3, 4, 5`.execute(connection)
    await sql`vacuum analyze signals, signal_counts, signal_months, signal_totals`.execute(connection)
    await sql`reset statement_timeout`.execute(connection)
  })
}
