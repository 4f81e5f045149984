import { sql } from 'kysely'
import type { Transaction } from '../../database/open.ts'
import { reviewedBrandStream } from '../../journal/index.ts'
import { closeStates } from '../facts/index.ts'
import { licensesOfBrand } from './brand-domains-store.ts'

/**
 * Opens an authorisation for each license that an approved brand of the market has in a register, and closes
 * those whose brand was removed, or whose license or name left the register. Every change of licenses or
 * licensees calls it. Returns the domains whose authorisations changed; the caller derives their verdicts.
 */
export async function applyBrandDomains(
  tx: Transaction,
  { market, now }: { market: string; now: Date },
): Promise<number[]> {
  await compareBrandDomains(tx, market)
  const { rows } = await sql<{ domain_id: number }>`
    select id as domain_id
      from domains
     where id in (select domain_id from brand_changes)
     order by id
       for update`.execute(tx)
  if (rows.length > 0) await writeChanges(tx, market, now)
  await sql`drop table brand_changes`.execute(tx)
  return rows.map(row => row.domain_id)
}

async function compareBrandDomains(tx: Transaction, market: string): Promise<void> {
  await sql`
    create temp table brand_changes on commit drop as
    with wanted as (
      select row.brand_domain_ref || ' ' || granted.stream || ' ' || granted.record_key as record_key,
             row.brand, domain.id as domain_id, granted.id as license_id
        from brand_domains row
        join domains domain on domain.domain = row.domain
       cross join lateral ${licensesOfBrand(sql`row`)} granted
       where row.market = ${market} and row.known_from is not null and row.known_to is null
    ),
    stored as (
      select id, record_key, domain_id
        from authorisations
       where stream = ${reviewedBrandStream} and market = ${market} and known_to is null
    )
    select wanted.record_key, wanted.brand, wanted.license_id, stored.id as stored_id,
           coalesce(wanted.domain_id, stored.domain_id) as domain_id
      from wanted
      full join stored using (record_key)
     where wanted.record_key is null or stored.id is null`.execute(tx)
}

async function writeChanges(tx: Transaction, market: string, now: Date): Promise<void> {
  const changed = { table: 'brand_changes', where: sql`change.license_id is null` }
  await closeStates(tx, 'authorisations', { changed, now, seenAt: sql`${now}::timestamptz` })
  await sql`
    insert into authorisations (stream, record_key, domain_id, market, license_id, published, counts,
                                first_seen_at, known_from)
    select ${reviewedBrandStream}, record_key, domain_id, ${market}, license_id, brand, true,
           coalesce((
             select min(earlier.first_seen_at)
               from authorisations earlier
              where earlier.domain_id = brand_changes.domain_id
                and earlier.stream = ${reviewedBrandStream}
                and earlier.record_key = brand_changes.record_key
           ), ${now}::timestamptz),
           ${now}
      from brand_changes
     where license_id is not null
     order by domain_id, record_key`.execute(tx)
}

/** Inserts the domain of an approved row if nothing is stored about it. */
export async function insertDomain(tx: Transaction, domain: string, ref: string): Promise<void> {
  await sql`
    insert into domains (domain_ref, domain) values (${ref}, ${domain})
    on conflict (domain) do nothing`.execute(tx)
}
