import { type RawBuilder, sql } from 'kysely'
import type { Transaction } from '../../database/open.ts'
import { countSteps, listedMembers } from './listings-store.ts'
import { recordedChanges, shownRegulator, type VerdictCause } from './verdict-store.ts'

/**
 * Derives, in a world that had no domains, those whose entries are all current and name the site itself, but
 * none that `licensed` selects. It equals `deriveVerdicts`, which looks up each domain, because such a
 * listing began with its first entry (`first-load.test.ts`). Removes these domains from `touched_domains`;
 * the others are derived as always.
 */
export async function deriveFirstListed(
  tx: Transaction,
  { licensed, cause }: { licensed: RawBuilder<unknown>; cause: VerdictCause },
): Promise<void> {
  await sql`
    create temp table first_listings on commit drop as
    select entry.domain_id, entry.regulator collate "C" as geo, min(entry.first_seen_at) as first_seen_at,
           ${sql.raw(shownRegulator({ listedSince: 'min(entry.first_seen_at)' }))} as shown,
           bool_and(entry.known_to is null and entry.listed and entry.scope = 'domain'
                    and not entry.withdrawn) as is_plain
      from blocklist_entries entry
     where entry.domain_id is not null
     group by entry.domain_id, entry.regulator`.execute(tx)
  await sql`
    create temp table first_listed on commit drop as
    select domain_id, '[' || string_agg(shown, ',' order by geo) || ']' as blocked_by,
           array_agg(geo order by geo) as markets, min(first_seen_at) as first_seen_at
      from first_listings
     where domain_id not in (select domain.id from domains domain join (${licensed}) named using (domain))
     group by domain_id
    having bool_and(is_plain)`.execute(tx)
  await sql`analyze first_listings, first_listed`.execute(tx)
  // It compares what searches of Companies read of a site, and a verdict is not among that.
  await sql`alter table domains disable trigger search_of_changed_domains`.execute(tx)
  await sql`
    update domains domain
       set verdict = 'blocklisted', blocked_by = listed.blocked_by::json, first_seen_at = listed.first_seen_at
      from first_listed listed
     where domain.id = listed.domain_id`.execute(tx)
  await sql`alter table domains enable trigger search_of_changed_domains`.execute(tx)
  await recordedChanges(
    cause,
    sql`
    select domain.id, domain.domain_ref, 'no_record' as verdict_before, '[]'::json as licensed_before,
           '[]'::json as blocked_before, domain.verdict, domain.licensed_by, domain.blocked_by, listed.markets
      from first_listed listed
      join domains domain on domain.id = listed.domain_id`,
  ).execute(tx)
  await sql`
    with listing as (
      select domain_id, '' as geo, first_seen_at from first_listed
      union all
      select listing.domain_id, listing.geo, listing.first_seen_at
        from first_listings listing
        join first_listed using (domain_id)
    ),
    added as (
      insert into domain_listings (verdict, geo, first_seen_at, domain, domain_id, members, platform_id,
                                   listed_since)
      select domain.verdict, listing.geo, domain.first_seen_at, domain.domain, domain.id,
             ${sql.raw(listedMembers('domain'))}, domain.platform_id, listing.first_seen_at
        from listing
        join domains domain on domain.id = listing.domain_id
      returning verdict, geo
    )
    ${countSteps(1, sql`added`)}`.execute(tx)
  await sql`
    delete from touched_domains touched
     using first_listed listed
     where touched.domain_id = listed.domain_id and touched.in_registers`.execute(tx)
}
