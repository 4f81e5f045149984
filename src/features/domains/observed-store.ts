import { sql } from 'kysely'
import { differencesShownMax } from '../../core/verification.ts'
import type { Database, Transaction } from '../../database/open.ts'
import { observationLapseDays } from '../domain-entry-store.ts'

const derivedObserved = sql`
  latest as (
    select observation.domain_id, max(observation.last_seen_at) as last_seen_at
      from wanted
      join observations observation on observation.domain_id = wanted.id
     group by observation.domain_id
  ),
  payments as (
    select latest.domain_id,
           array_agg(distinct category collate "C" order by category collate "C") as categories
      from latest
      join observations observation
        on observation.domain_id = latest.domain_id
       and observation.section = 'payment_methods'
       and observation.last_seen_at
           >= latest.last_seen_at - make_interval(days => ${observationLapseDays}::int),
    lateral (select observation.value ->> 'category' as category) observed
     where category is not null
     group by latest.domain_id
  ),
  running as (
    select distinct on (reading.domain_id) reading.domain_id, reading.platform_id, reading.seen_at
      from wanted
      join platform_readings reading on reading.domain_id = wanted.id
      join platforms platform on platform.id = reading.platform_id
     order by reading.domain_id, reading.seen_at desc, platform.platform_key collate "C"
  ),
  checked as (
    select site_check.domain_id, max(site_check.finished_at) as finished_at
      from wanted
      join site_checks site_check on site_check.domain_id = wanted.id and site_check.state = 'completed'
     group by site_check.domain_id
  ),
  derived as (
    select wanted.id, latest.last_seen_at as last_observed_at,
           coalesce(payments.categories, '{}') as payment_categories, running.platform_id,
           running.seen_at as last_read_at,
           checked.finished_at as last_checked_at
      from wanted
      left join latest on latest.domain_id = wanted.id
      left join payments on payments.domain_id = wanted.id
      left join running on running.domain_id = wanted.id
      left join checked on checked.domain_id = wanted.id
  )`

const derivedColumns = (table: 'domain' | 'derived') =>
  sql.raw(
    `${table}.last_observed_at, ${table}.payment_categories, ${table}.platform_id, ${table}.last_read_at,
     ${table}.last_checked_at`,
  )

/**
 * Derives what domains store of their observations, and the platform in listings. The caller must lock the
 * domains first.
 */
export async function deriveObserved(tx: Transaction, domainIds: readonly number[]): Promise<void> {
  await sql`
    with wanted as (select unnest(${[...domainIds]}::bigint[]) as id), ${derivedObserved},
    changed as (
      update domains domain
         set last_observed_at = derived.last_observed_at,
             payment_categories = derived.payment_categories,
             platform_id = derived.platform_id,
             last_read_at = derived.last_read_at,
             last_checked_at = derived.last_checked_at
        from derived
       where domain.id = derived.id
         and (${derivedColumns('domain')}) is distinct from (${derivedColumns('derived')})
      returning domain.id, domain.platform_id
    )
    update domain_listings listing
       set platform_id = changed.platform_id
      from changed
     where listing.domain_id = changed.id
       and listing.platform_id is distinct from changed.platform_id`.execute(tx)
}

type ObservedDifference = { domain: string; stored: unknown; derived: unknown }

export async function verifyObserved(database: Database): Promise<ObservedDifference[]> {
  const { rows } = await sql<ObservedDifference>`
    with wanted as (select id from domains), ${derivedObserved}
    select domain.domain,
           json_build_array(${derivedColumns('domain')}) as stored,
           json_build_array(${derivedColumns('derived')}) as derived
      from domains domain
      join derived using (id)
     where (${derivedColumns('domain')}) is distinct from (${derivedColumns('derived')})
     order by domain.domain
     limit ${differencesShownMax}`.execute(database)
  return rows
}
