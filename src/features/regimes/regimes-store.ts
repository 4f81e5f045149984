import type { RegimeEntry } from '@baize/registers/entries'
import { sql } from 'kysely'
import type { Database, Transaction } from '../../database/open.ts'
import type { Regime, RegimeInForce } from './schemas.ts'

type NewRegime = RegimeEntry & {
  ref: string
  why: string
  enteredBy: string | null
  now: Date
  /** The row that the approval of this one closes. */
  endsId?: number | undefined
  shippedKey?: string
}

/** Lets one transaction at a time change regimes, so that two approvals cannot overlap. Readers go on. */
export async function lockRegimes(tx: Transaction): Promise<void> {
  await sql`lock table regimes in share row exclusive mode`.execute(tx)
}

/** Stores a proposed row. Returns its id. */
export async function insertRegime(tx: Transaction, row: NewRegime): Promise<number> {
  const { rows } = await sql<{ id: number }>`
    insert into regimes (regime_ref, market, vertical, state, from_day, to_day, source_url, note, why,
                         entered_by, entered_at, ends_id, shipped_key)
    values (${row.ref}, ${row.market}, ${row.vertical}, ${row.state}, ${row.from}, ${row.to},
            ${row.source_url}, ${row.note}, ${row.why}, ${row.enteredBy}, ${row.now},
            ${row.endsId ?? null}, ${row.shippedKey ?? null})
    returning id`.execute(tx)
  return (rows[0] as { id: number }).id
}

/** Publishes a proposed row, or closes it at once if it states that the ended row never applied. */
export async function publishRegime(tx: Transaction, id: number, by: string | null, now: Date) {
  await sql`
    update regimes
       set approved_by = ${by},
           approved_at = ${now},
           known_from = case when to_day < from_day then null else ${now}::timestamptz end,
           known_to = case when to_day < from_day then ${now}::timestamptz end
     where id = ${id}`.execute(tx)
}

export async function closeRegime(tx: Transaction, id: number, now: Date): Promise<void> {
  await sql`update regimes set known_to = ${now} where id = ${id}`.execute(tx)
}

export type StaffRegime = RegimeEntry & {
  id: number
  regime_ref: string
  status: 'proposed' | 'approved' | 'closed' | 'withdrawn'
  why: string
  entered_by: string | null
  entered_at: Date
  approved_by: string | null
  known_from: Date | null
  known_to: Date | null
  ends_id: number | null
  /** The ref of the row that its approval closes. */
  ends: string | null
}

/** Reads rows of every status, proposed ones first. Only staff see them. */
export async function readStaffRegimes(
  database: Database | Transaction,
  { ref, market }: { ref?: string; market?: string | undefined } = {},
): Promise<StaffRegime[]> {
  const { rows } = await sql<StaffRegime>`
    select regime.id, regime.regime_ref, case
             when regime.approved_at is null
               then case when regime.known_to is null then 'proposed' else 'withdrawn' end
             else case when regime.known_to is null then 'approved' else 'closed' end
           end as status,
           regime.market, regime.vertical, regime.state,
           regime.from_day::text as "from", regime.to_day::text as "to", regime.source_url, regime.note,
           regime.why, regime.entered_by, regime.entered_at, regime.approved_by, regime.known_from,
           regime.known_to, regime.ends_id, ended.regime_ref as ends
      from regimes regime
      left join regimes ended on ended.id = regime.ends_id
     where ${ref === undefined ? sql`true` : sql`regime.regime_ref = ${ref}`}
       and ${market === undefined ? sql`true` : sql`regime.market = ${market}`}
     order by regime.known_to is not null, regime.approved_at is not null, regime.market, regime.vertical,
              regime.from_day, regime.id`.execute(database)
  return rows
}

/** Finds an approved row of the same market and vertical that shares a day. */
export async function findOverlap(
  tx: Transaction,
  { id, market, vertical, from, to }: RegimeEntry & { id: number },
): Promise<string | null> {
  const { rows } = await sql<{ regime_ref: string }>`
    select regime_ref
      from regimes
     where market = ${market} and vertical = ${vertical} and id <> ${id}
       and known_from is not null and known_to is null
       and daterange(from_day, to_day, '[]') && daterange(${from}::date, ${to}::date, '[]')
     limit 1`.execute(tx)
  return rows[0]?.regime_ref ?? null
}

export type ShippedRow = RegimeEntry & { id: number; shipped_key: string; is_open: boolean }

/** Reads the rows that releases shipped, those that were closed since among them. */
export async function readShippedRegimes(tx: Transaction): Promise<ShippedRow[]> {
  const { rows } = await sql<ShippedRow>`
    select id, shipped_key, known_to is null as is_open, market, vertical, state, from_day::text as "from",
           to_day::text as "to", source_url, note
      from regimes
     where shipped_key is not null`.execute(tx)
  return rows
}

export type RegimeFilters = { market?: string | undefined; asOf?: string | undefined; knownAfter?: Date }

/** Reads approved rows that are known now. With `knownAfter` also those that were closed after it. */
export async function readRegimes(database: Database, filters: RegimeFilters = {}): Promise<Regime[]> {
  const { market, asOf, knownAfter } = filters
  const { rows } = await sql<
    Omit<Regime, 'known_from' | 'known_to'> & { known_from: Date; known_to: Date | null }
  >`
    select regime_ref, market, vertical, state, from_day::text as "from", to_day::text as "to", source_url,
           note, known_from, known_to
      from regimes
     where known_from is not null
       and ${
         knownAfter === undefined
           ? sql`known_to is null`
           : sql`(known_from > ${knownAfter} or known_to > ${knownAfter})`
       }
       and ${market === undefined ? sql`true` : sql`market = ${market}`}
       and ${asOf === undefined ? sql`true` : contains(asOf)}
     order by market, vertical collate "C", from_day, id`.execute(database)
  return rows.map(row => ({
    ...row,
    known_from: row.known_from.toISOString(),
    known_to: row.known_to?.toISOString() ?? null,
  }))
}

const contains = (day: string) => sql`from_day <= ${day}::date and (to_day is null or to_day >= ${day}::date)`

export type MarketInForce = RegimeInForce & { market: string }
export type PastMarket = MarketInForce & { to: string | null; known_from: Date; known_to: Date | null }

/** Reads all rows that verdicts show or have ever shown, on any day. They are few. */
export async function readMarkets(database: Database): Promise<PastMarket[]> {
  const { rows } = await sql<PastMarket>`
    select market, vertical, state, from_day::text as "from", source_url, to_day::text as "to", known_from,
           known_to
      from regimes
     where known_from is not null
       and vertical = 'all' and state not in ('open', 'licensed_only')`.execute(database)
  return rows
}
