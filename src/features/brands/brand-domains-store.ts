import type { BrandDomainEntry } from '@baize/registers/entries'
import { sql } from 'kysely'
import type { Database, Transaction } from '../../database/open.ts'

export type NewBrandDomain = BrandDomainEntry & {
  ref: string
  why: string
  enteredBy: string | null
  now: Date
  shippedKey?: string
}

/** Stores a proposed row. Does nothing if the same row is open, or was shipped before. */
export async function insertBrandDomain(tx: Transaction, row: NewBrandDomain): Promise<boolean> {
  const { numAffectedRows } = await sql`
    insert into brand_domains (brand_domain_ref, market, brand, domain, source_url, source_day, why,
                               entered_by, entered_at, shipped_key)
    values (${row.ref}, ${row.market}, ${row.brand}, ${row.domain}, ${row.source_url}, ${row.source_day},
            ${row.why}, ${row.enteredBy}, ${row.now}, ${row.shippedKey ?? null})
    on conflict do nothing`.execute(tx)
  return numAffectedRows === 1n
}

export async function approveRow(tx: Transaction, ref: string, by: string | null, now: Date): Promise<void> {
  await sql`
    update brand_domains
       set approved_by = ${by}, approved_at = ${now}, known_from = ${now}
     where brand_domain_ref = ${ref}`.execute(tx)
}

export async function closeRow(tx: Transaction, ref: string, now: Date): Promise<void> {
  await sql`update brand_domains set known_to = ${now} where brand_domain_ref = ${ref}`.execute(tx)
}

export type StaffBrandDomain = BrandDomainEntry & {
  brand_domain_ref: string
  status: 'proposed' | 'approved' | 'removed' | 'withdrawn'
  /** The number of open licenses of the market whose holder has this brand as its legal or trading name. */
  licenses: number
  why: string
  entered_by: string | null
  entered_at: Date
  approved_by: string | null
  known_from: Date | null
  known_to: Date | null
}

/** Reads rows of every status, proposed ones first. Only staff see them. */
export async function readBrandDomains(
  database: Database | Transaction,
  { ref, market }: { ref?: string; market?: string | undefined } = {},
): Promise<StaffBrandDomain[]> {
  const { rows } = await sql<StaffBrandDomain>`
    select row.brand_domain_ref, case
             when row.known_from is null
               then case when row.known_to is null then 'proposed' else 'withdrawn' end
             else case when row.known_to is null then 'approved' else 'removed' end
           end as status,
           row.market, row.brand, row.domain, row.source_url, row.source_day::text as source_day,
           (select count(*) from ${licensesOfBrand(sql`row`)} granted) as licenses,
           row.why, row.entered_by, row.entered_at, row.approved_by, row.known_from, row.known_to
      from brand_domains row
     where ${ref === undefined ? sql`true` : sql`row.brand_domain_ref = ${ref}`}
       and ${market === undefined ? sql`true` : sql`row.market = ${market}`}
     order by row.known_to is not null, row.known_from is not null, row.market, row.brand collate "C",
              row.id`.execute(database)
  return rows
}

/**
 * Selects the open licenses of a register whose holder has exactly this brand as its legal or trading name.
 * Case, accents and spaces are ignored.
 */
export const licensesOfBrand = (brand: ReturnType<typeof sql>) => sql`(
        select license.id, license.stream, license.record_key
          from licenses license
          join license_states state on state.license_id = license.id and state.known_to is null
          join licensee_states holder
            on holder.stream = license.stream
           and holder.record_key = state.licensee_key
           and holder.known_to is null
         where license.jurisdiction = ${brand}.market
           and fold_names(array[${brand}.brand]) <@ fold_names(holder.legal_name || holder.trading_names)
           and fold_names(array[${brand}.brand]) <> '{}'
      )`
