import { type RawBuilder, sql } from 'kysely'
import type { Database, Transaction } from '../../database/open.ts'
import { isSharedSite } from '../shared-site-store.ts'
import { recountPlatforms } from './signal-counts-store.ts'

export type SiteSelection = { domainIds: readonly number[] } | { platformId: number }

export type NewSite = {
  position: number
  platformId: number
  platformKey: string
  platformName: string
  domainId: number
  domain: string
  seenAt: Date
  companyId: number
  companyName: string | null
  brand: string | null
}

/**
 * Selects first sights without a Signal, or whose Signal has too late a date (`signal_number`). `seen` has
 * platform, domain and time. The operator is the licensee of the verdict, or else a linked Company,
 * licensees first. A site that several holders share has none.
 */
function pendingSites(seen: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`
    with seen as materialized (${seen}),
    pending as (
      select seen.*, signal.number as signal_number, operator.company_id, operator.company_name,
             platform.platform_key, platform.name as platform_name, domain.domain
        from seen
        join platforms platform on platform.id = seen.platform_id
        join domains domain on domain.id = seen.domain_id
        left join lateral (
          select number, occurred_at
            from signals
           where signals.platform_id = seen.platform_id and signals.domain_id = seen.domain_id
           limit 1
        ) signal on true
        left join lateral (
          select company.id as company_id, company.company_name
            from (
              select domain.licensee_company_id as company_id, 0 as rank, null::timestamptz as known_from
              union all
              select link.company_id, case link.relation when 'licensee' then 1 else 2 end, link.known_from
                from companies_of_domain(seen.domain_id) link
               where link.relation <> 'licensee' or not ${sql.raw(isSharedSite('seen.domain_id'))}
            ) holder
            join companies named on named.id = holder.company_id
            join companies company on company.id = coalesce(named.merged_into, named.id)
           where 'operator' = any (company.role)
           order by holder.rank, holder.known_from, company.id
           limit 1
        ) operator on true
       where (signal.number is null and operator.company_id is not null) or seen.seen_at < signal.occurred_at
    )`
}

const brandOfPending = sql`
  (select link.brand
     from domain_companies link
    where link.domain_id = pending.domain_id and link.known_to is null and link.brand is not null
    order by link.company_id = pending.company_id desc, link.relation = 'licensee' desc, link.id
    limit 1)`

/** Selects from readings of reviewed platforms. */
function reviewedReadings(selection: SiteSelection): RawBuilder<unknown> {
  const isSelected: RawBuilder<boolean> =
    'platformId' in selection
      ? sql`reading.platform_id = ${selection.platformId}`
      : sql`reading.domain_id = any (${[...selection.domainIds]}::bigint[])`
  return sql`
      from platform_readings reading
      join platforms platform on platform.id = reading.platform_id
     where platform.reviewed_at is not null
       and ${isSelected}`
}

/** Without such a reading there is no site to gather. */
export async function hasReviewedReadings(tx: Transaction, selection: SiteSelection): Promise<boolean> {
  const { rows } = await sql<{ found: boolean }>`
    select exists (select ${reviewedReadings(selection)}) as found`.execute(tx)
  return rows[0]?.found ?? false
}

/**
 * Gathers sites in a temporary table. A site without a Signal has a `position`; it is null for a site whose
 * Signal has too late a date.
 */
export async function gatherNewSites(tx: Transaction, selection: SiteSelection): Promise<void> {
  const seen = sql`
    select reading.platform_id, reading.domain_id, min(reading.seen_at) as seen_at
      ${reviewedReadings(selection)}
     group by reading.platform_id, reading.domain_id`
  await sql`
    create temp table platform_sites on commit drop as
    ${pendingSites(seen)}
    select case when signal_number is null then
             row_number() over (order by signal_number is not null, seen_at, platform_key collate "C", domain)
           end as position,
           pending.*,
           ${brandOfPending} as brand
      from pending`.execute(tx)
}

export type ExpectedSite = Pick<NewSite, 'platformName' | 'domain' | 'seenAt' | 'companyName' | 'brand'> & {
  total: number
}

/** Returns the sites that would get a Signal if the platform were reviewed, in the order of the Signals. */
export async function readExpectedSites(database: Database, platformId: number, limit: number) {
  const seen = sql`
    select reading.platform_id, reading.domain_id, min(reading.seen_at) as seen_at
      from platform_readings reading
     where reading.platform_id = ${platformId}
     group by reading.platform_id, reading.domain_id`
  const { rows } = await sql<ExpectedSite>`
    ${pendingSites(seen)},
    expected as (
      select pending.*, count(*) over ()::integer as total
        from pending
       where signal_number is null
       order by seen_at, domain
       limit ${limit}
    )
    select platform_name as "platformName", domain, seen_at as "seenAt", company_name as "companyName",
           ${brandOfPending} as brand, total
      from expected pending
     order by seen_at, domain`.execute(database)
  return rows
}

const sitesAtOnceMax = 5_000

export async function* readNewSites(tx: Transaction): AsyncGenerator<NewSite, void> {
  await sql`create index on platform_sites (position)`.execute(tx)
  for (let after = 0; ; after += sitesAtOnceMax) {
    const { rows } = await sql<NewSite>`
      select position, platform_id as "platformId", platform_key as "platformKey",
             platform_name as "platformName",
             domain_id as "domainId", domain, seen_at as "seenAt", company_id as "companyId",
             company_name as "companyName", brand
        from platform_sites
       where position > ${after} and position <= ${after + sitesAtOnceMax}
       order by position`.execute(tx)
    yield* rows
    if (rows.length < sitesAtOnceMax) return
  }
}

export async function correctFirstSeen(tx: Transaction, now: Date): Promise<number> {
  const { rows } = await sql<{ platform_id: number; corrected: number }>`
    with corrected as (
      update signals
         set occurred_at = site.seen_at,
             last_corrected_at = ${now}
        from platform_sites site
       where signals.number = site.signal_number
      returning signals.platform_id
    )
    select platform_id, count(*) as corrected from corrected group by platform_id`.execute(tx)
  if (rows.length === 0) return 0
  await recountPlatforms(
    tx,
    rows.map(row => row.platform_id),
  )
  return rows.reduce((total, { corrected }) => total + corrected, 0)
}

export async function dropNewSites(tx: Transaction): Promise<void> {
  await sql`drop table platform_sites`.execute(tx)
}
