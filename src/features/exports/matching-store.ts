import { isStatementTimeout } from '@baize/postgres'
import { type RawBuilder, sql } from 'kysely'
import { Failure } from '../../core/failure.ts'
import type { Database, Transaction } from '../../database/open.ts'
import { siteObservedAt } from '../domain-entry-store.ts'
import {
  type BlockedBy,
  companyBehind,
  currentlyObserved,
  type LicensedBy,
  type Verdict,
} from '../domains/index.ts'
import { concurrencyLimit, WaitTimeout } from './concurrency-limit.ts'
import type { ExportFilters } from './filters.ts'

export type MatchingDomain = {
  id: number
  domain: string
  verdict: Verdict
  licensed_by: LicensedBy[]
  blocked_by: BlockedBy[]
  last_observed_at: Date | null
}

const observedAt = sql.raw(siteObservedAt)

/**
 * Tests whether a domain has data, because others are not exported. A license that is not in force is data.
 */
const hasData = sql`(
       domain.verdict <> 'no_record'
       or ${observedAt} is not null
       or exists (
         select from domain_companies link where link.domain_id = domain.id and link.known_to is null
       )
       or exists (
         select from authorisations listed where listed.domain_id = domain.id and listed.known_to is null
       )
     )`

/** Writes the filters as SQL. "Currently" means the same as for `payment_categories` (observed-store.ts). */
function exportConditions(filters: ExportFilters): RawBuilder<unknown> {
  const all: RawBuilder<unknown>[] = []
  if (filters.domain_after !== undefined) all.push(sql`domain.domain > ${filters.domain_after}`)
  if (filters.jurisdiction !== undefined) all.push(licensedIn(filters.jurisdiction))
  if (filters.payment_category !== undefined) all.push(acceptsPayment(filters.payment_category))
  if (filters.exclude_payment !== undefined) all.push(sql`not ${acceptsPayment(filters.exclude_payment)}`)
  if (filters.supplier_brand !== undefined) all.push(hasSupplier(filters.supplier_brand))
  if (filters.exclude_provider !== undefined) all.push(sql`not ${hasSupplier(filters.exclude_provider)}`)
  if (filters.has_affiliate !== undefined)
    all.push(filters.has_affiliate ? hasAffiliateProgram : sql`not ${hasAffiliateProgram}`)
  if (filters.geo_hint !== undefined) all.push(targetsPlace(filters.geo_hint))
  if (filters.enriched_after !== undefined)
    all.push(sql`${observedAt} > ${filters.enriched_after}::timestamptz`)
  // A redundant condition would stop the planner from starting with the rarest filter.
  if (!impliesData(filters)) all.push(hasData)
  return sql.join(
    all,
    sql`
       and `,
  )
}

const impliesData = (filters: ExportFilters) =>
  filters.jurisdiction !== undefined ||
  filters.payment_category !== undefined ||
  filters.supplier_brand !== undefined ||
  filters.has_affiliate === true ||
  filters.geo_hint !== undefined ||
  filters.enriched_after !== undefined

/**
 * Selects the domains licensed in a jurisdiction. `domain_listings` has licensed ones by jurisdiction; for
 * mixed ones `licensed_by` is compared.
 */
function licensedIn(jurisdiction: string): RawBuilder<unknown> {
  return sql`domain.id in (
         select listing.domain_id
           from domain_listings listing
          where listing.verdict = 'licensed' and listing.geo = ${jurisdiction}
         union all
         select listing.domain_id
           from domain_listings listing
           join domains mixed on mixed.id = listing.domain_id
          where listing.verdict = 'mixed' and listing.geo = ''
            and exists (
              select from json_array_elements(mixed.licensed_by) as license
               where license ->> 'geo' = ${jurisdiction}
            )
       )`
}

function acceptsPayment(category: string): RawBuilder<unknown> {
  return sql`(domain.payment_categories @> array[${category}])`
}

const hasSupplier = (name: string) =>
  currentlyObserved('supplier_brands', supplier => sql`lower(${supplier}) = lower(${name})`)

const hasAffiliateProgram = currentlyObserved('affiliate_programs')

const targetsPlace = (place: string) =>
  currentlyObserved('geo', places => sql`lower(${places}::text)::jsonb ? lower(${place})`)

export async function countMatching(database: Database, filters: ExportFilters, rowsMax: number) {
  const { rows } = await sql<{ matches: number }>`
    select count(*) as matches
      from (
        select from domains domain
         where ${exportConditions(filters)}
         limit ${rowsMax}
      ) matching`.execute(database)
  return rows[0]?.matches ?? 0
}

const quoteWithinMs = 2_000
/** Limits simultaneous counts, so that many exports leave connections for other requests. */
const quotesAtOnceMax = 2
const limited = concurrencyLimit(quotesAtOnceMax)

const quoteRetryAfterSeconds = 5

type QuoteLimits = { rowsMax: number; affordableRows?: number; withinMs?: number }

/**
 * Counts the matching rows. Returns the bound `rowsMax` if counting takes or waits too long. Fails with 503
 * if it waited and the bound exceeds `affordableRows`: other requests' load must not refuse a request.
 */
export async function quoteMatching(
  database: Database,
  filters: ExportFilters,
  { rowsMax, affordableRows = rowsMax, withinMs = quoteWithinMs }: QuoteLimits,
): Promise<number> {
  const count = () =>
    database.transaction().execute(async tx => {
      await sql`select set_config('statement_timeout', ${String(withinMs)}, true)`.execute(tx)
      return countMatching(tx, filters, rowsMax)
    })
  try {
    return await limited(count, withinMs)
  } catch (error) {
    if (isStatementTimeout(error)) return rowsMax
    if (!(error instanceof WaitTimeout)) throw error
    if (affordableRows >= rowsMax) return rowsMax
    throw new Failure('service_unavailable', {
      message: 'Too many exports are being quoted. Try again.',
      retryAfterSeconds: quoteRetryAfterSeconds,
      cause: error,
    })
  }
}

type Fetching = {
  filters: ExportFilters
  rowsMax: number
  rowsAtOnce: number
}

export function matchingDomains(tx: Transaction, fetching: Fetching): AsyncGenerator<MatchingDomain[], void> {
  return fetchMatching<MatchingDomain>(
    tx,
    sql`
    select domain.id, domain.domain, domain.verdict, domain.licensed_by, domain.blocked_by,
           ${observedAt} as last_observed_at
      from domains domain`,
    fetching,
  )
}

type MatchingLine = {
  domain: string
  company_name: string | null
  status: 'observed' | 'not_observed'
  last_enriched_at: string | null
}

/** Reads only the columns of a CSV, which is four times as fast. */
export function matchingLines(tx: Transaction, fetching: Fetching): AsyncGenerator<MatchingLine[], void> {
  return fetchMatching<MatchingLine>(
    tx,
    sql`
    select domain.domain, owner.company_name,
           case when ${observedAt} is null then 'not_observed' else 'observed' end as status,
           to_char(${observedAt} at time zone 'UTC',
                   'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as last_enriched_at
      from domains domain
      left join ${companyBehind} owner on true`,
    fetching,
  )
}

/** Reads rows through a database cursor: with one query plan, and one batch in memory. */
async function* fetchMatching<Row>(
  tx: Transaction,
  select: RawBuilder<unknown>,
  { filters, rowsMax, rowsAtOnce }: Fetching,
): AsyncGenerator<Row[], void> {
  // PostgreSQL plans for fetching all rows, not for the first ones.
  await sql`select set_config('cursor_tuple_fraction', '1', true)`.execute(tx)
  await sql`
    declare matching no scroll cursor for
    ${select}
     where ${exportConditions(filters)}
     order by domain.domain
     limit ${rowsMax}`.execute(tx)
  for (;;) {
    const { rows } = await sql<Row>`fetch forward ${sql.lit(rowsAtOnce)} from matching`.execute(tx)
    if (rows.length > 0) yield rows
    if (rows.length < rowsAtOnce) break
  }
  await sql`close matching`.execute(tx)
}
