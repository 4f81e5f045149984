import { type RawBuilder, sql } from 'kysely'
import { newRef } from '../../core/ref.ts'
import { differencesShownMax } from '../../core/verification.ts'
import type { Database, Transaction } from '../../database/open.ts'
import { verifiedDays } from '../../metering/ledger.ts'
import type { CheckState } from './checks-store.ts'
import { emptyReasons, type Found, foundSections } from './schemas.ts'

type NewEnrichment = { accountId: number; checkId: number; isPaid: boolean; now: Date }

/** Finds or inserts an enrichment. A retry of the request that started the check gets the first one. */
export async function findOrInsertEnrichment(tx: Transaction, enrichment: NewEnrichment): Promise<string> {
  const { accountId, checkId, isPaid } = enrichment
  const { rows: stored } = await sql<{ enrichment_ref: string }>`
    select enrichment_ref
      from enrichments
     where ${isPaid} and check_id = ${checkId} and account_id = ${accountId} and is_paid`.execute(tx)
  return stored[0]?.enrichment_ref ?? insertEnrichment(tx, enrichment)
}

export async function insertEnrichment(
  database: Database,
  { accountId, checkId, isPaid, now }: NewEnrichment,
): Promise<string> {
  const ref = newRef('enr')
  await sql`
    insert into enrichments (enrichment_ref, account_id, check_id, is_paid, requested_at)
    values (${ref}, ${accountId}, ${checkId}, ${isPaid}, ${now})`.execute(database)
  return ref
}

type ShownEnrichment = {
  domain: string
  state: CheckState
  reason: string | null
  is_paid: boolean
  requested_at: Date
  finished_at: Date | null
  reading_id: number | null
  credits_charged: number | null
}

export async function findEnrichment(database: Database, accountId: number, ref: string) {
  const { rows } = await sql<ShownEnrichment>`
    select domain.domain, checked.state, coalesce(checked.reason, empty.reason) as reason,
           enrichment.is_paid, enrichment.requested_at, checked.finished_at, checked.reading_id,
           checked.credits_charged
      from enrichments enrichment
      join site_checks checked on checked.id = enrichment.check_id
      join domains domain on domain.id = checked.domain_id
      left join lateral (
        select known.reason
          from site_findings launch
          join unnest(${[...emptyReasons]}::text[]) known (reason)
            on launch.value -> 'reasons' @> to_jsonb(known.reason)
         where launch.reading_id = checked.reading_id
           and launch.section = 'launch'
           and checked.state = 'completed'
         limit 1
      ) empty on true
     where enrichment.enrichment_ref = ${ref} and enrichment.account_id = ${accountId}`.execute(database)
  return rows[0]
}

/** Counts the findings of a reading; all counts are 0 without one. */
export const countFound = (database: Database, readingId: number | null): Promise<Found> =>
  countBySection(database, sql`site_findings where reading_id = ${readingId}`)

export const countObserved = (database: Database, domain: string): Promise<Found> =>
  countBySection(
    database,
    sql`observations where domain_id = (select id from domains where domain = ${domain})`,
  )

async function countBySection(database: Database, source: RawBuilder<unknown>): Promise<Found> {
  const { rows } = await sql<{ section: keyof Found; values: number }>`
    select section, count(*) as values from ${source} group by section`.execute(database)
  const counts = new Map(rows.map(row => [row.section, row.values] as const))
  return Object.fromEntries(foundSections.map(section => [section, counts.get(section) ?? 0])) as Found
}

type CheckDifference = { check: number; stored: number | null; found: number | null; problem: string }

/**
 * Returns differences. An open check that an account pays must have a reservation, and an ended check must
 * not. Charges must equal the ledger.
 */
export async function verifyChecks(database: Database): Promise<CheckDifference[]> {
  const { rows } = await sql<CheckDifference>`
    select checked.id as check, null::bigint as stored, reservation.credits as found,
           case
             when reservation.credits is null then 'a check that is not finished has no reservation'
             else 'a finished check has reserved credits'
           end as problem
      from site_checks checked
      left join reservations reservation using (reservation_id)
     where checked.account_id is not null
       and (reservation.credits is null) = (checked.state in ('queued', 'running'))
    union all
    select checked.id, checked.credits_charged, entry.credits,
           'a check and its ledger entry differ'
      from site_checks checked
      left join lateral (
        select sum(credits)::bigint as credits
          from ledger_entries
         where account_id = checked.account_id
           and price_key = 'domain.refresh'
           and note = 'check ' || checked.id
      ) entry on true
     where checked.finished_at >= now() - make_interval(days => ${verifiedDays}::int)
       and coalesce(entry.credits, 0) <> coalesce(checked.credits_charged, 0)
     limit ${differencesShownMax}`.execute(database)
  return rows
}
