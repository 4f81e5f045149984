import { sql } from 'kysely'
import type { Transaction } from '../../database/open.ts'
import type { FeedName, SignalDraft } from './draft.ts'

type Tally = {
  feed: FeedName
  market: string
  stream: string
  event_type: string
  platform_id: number
  day: string
  signals: number
  first_number: number
  last_number: number
}

export class SignalTally {
  #tallies = new Map<string, Tally>()

  get size(): number {
    return this.#tallies.size
  }

  add(draft: SignalDraft, isMarketEntry: boolean, number: number): void {
    const day = draft.occurredAt.toISOString().slice(0, 10)
    if (draft.type === 'platform_new_site') {
      const { eventType: event_type, platformId: platform_id } = draft
      this.#count({ feed: 'platform_sites', market: '', stream: '', event_type, platform_id, day }, number)
      return
    }
    const { market, stream, eventType: event_type } = draft
    const kind = { market, stream, event_type, platform_id: 0, day }
    this.#count({ feed: 'register_changes', ...kind }, number)
    if (isMarketEntry) this.#count({ feed: 'market_entries', ...kind }, number)
  }

  flush(): Tally[] {
    const tallies = [...this.#tallies.values()]
    this.#tallies = new Map()
    return tallies
  }

  /** Counts a Signal. Calls must have ascending numbers. */
  #count(kind: Omit<Tally, 'signals' | 'first_number' | 'last_number'>, number: number): void {
    const key = JSON.stringify(kind)
    const tally = this.#tallies.get(key)
    if (tally === undefined) {
      this.#tallies.set(key, { ...kind, signals: 1, first_number: number, last_number: number })
    } else {
      tally.signals += 1
      tally.last_number = number
    }
  }
}

const tallyColumns = sql`
  feed text, market text, stream text, event_type text, platform_id bigint, day date, signals bigint,
  first_number bigint, last_number bigint`

/** Adds tallies to the stored counts. Call this while `signal_sequence` is locked. */
export async function writeTallies(tx: Transaction, tallies: readonly Tally[]): Promise<void> {
  if (tallies.length === 0) return
  await sql`
    with added as materialized (
      select * from json_to_recordset(${JSON.stringify(tallies)}::json) as tally (${tallyColumns})
    ),
    totalled as (
      insert into signal_totals (feed, market, stream, event_type, platform_id, signals, first_number,
                                 last_number)
      select feed, market, stream, event_type, platform_id, sum(signals), min(first_number), max(last_number)
        from added
       group by feed, market, stream, event_type, platform_id
      on conflict (feed, market, stream, event_type, platform_id) do update
         set signals = signal_totals.signals + excluded.signals,
             first_number = least(signal_totals.first_number, excluded.first_number),
             last_number = greatest(signal_totals.last_number, excluded.last_number)
    ),
    by_month as (
      insert into signal_months (feed, market, stream, event_type, platform_id, month, signals,
                                 first_number, last_number)
      select feed, market, stream, event_type, platform_id, date_trunc('month', day)::date, sum(signals),
             min(first_number), max(last_number)
        from added
       group by feed, market, stream, event_type, platform_id, date_trunc('month', day)::date
      on conflict (feed, market, stream, event_type, platform_id, month) do update
         set signals = signal_months.signals + excluded.signals,
             first_number = least(signal_months.first_number, excluded.first_number),
             last_number = greatest(signal_months.last_number, excluded.last_number)
    )
    insert into signal_counts (feed, market, stream, event_type, platform_id, day, signals, first_number,
                               last_number)
    select feed, market, stream, event_type, platform_id, day, signals, first_number, last_number
      from added
    on conflict (feed, market, stream, event_type, platform_id, day) do update
       set signals = signal_counts.signals + excluded.signals,
           first_number = least(signal_counts.first_number, excluded.first_number),
           last_number = greatest(signal_counts.last_number, excluded.last_number)`.execute(tx)
}

/** Recounts days and months after a correction of days. Totals do not change. */
export async function recountPlatforms(tx: Transaction, platformIds: readonly number[]): Promise<void> {
  await sql`
    delete from signal_months
     where feed = 'platform_sites' and platform_id = any (${[...platformIds]}::bigint[])`.execute(tx)
  await sql`
    delete from signal_counts
     where feed = 'platform_sites' and platform_id = any (${[...platformIds]}::bigint[])`.execute(tx)
  await sql`
    insert into signal_counts (feed, market, stream, event_type, platform_id, day, signals, first_number,
                               last_number)
    select 'platform_sites', '', '', event_type, platform_id, (occurred_at at time zone 'UTC')::date,
           count(*),
           min(number), max(number)
      from signals
     where platform_id = any (${[...platformIds]}::bigint[])
     group by event_type, platform_id, (occurred_at at time zone 'UTC')::date`.execute(tx)
  await sql`
    insert into signal_months (feed, market, stream, event_type, platform_id, month, signals, first_number,
                               last_number)
    select feed, market, stream, event_type, platform_id, date_trunc('month', day)::date, sum(signals),
           min(first_number), max(last_number)
      from signal_counts
     where feed = 'platform_sites' and platform_id = any (${[...platformIds]}::bigint[])
     group by feed, market, stream, event_type, platform_id, date_trunc('month', day)::date`.execute(tx)
}
