import { LRUCache } from 'lru-cache'
import type { PreparedRead, World } from '../../database/open.ts'
import { listedMembers, listedSince } from './listings-store.ts'
import type { Verdict } from './schemas.ts'

export type DomainFilters = {
  verdict: Exclude<Verdict, 'no_record'>
  geo: string | undefined
  since: Date | undefined
  until: Date | undefined
  droppedBefore: Date | undefined
  paymentCategory: string | undefined
  platformId: number | undefined
}

export type DomainPosition = { after: { firstSeenAt: string; domain: string } } | { offset: number }

type DomainPage = {
  rows: readonly string[]
  returned: number
  next: { firstSeenAt: string; domain: string } | null
  total: number
}

/** Collects the parameters of a statement. The filters choose one of a few fixed texts. */
class Clauses {
  readonly values: unknown[] = []
  /** A part of the prepared statement's name. PostgreSQL truncates names at 63 bytes. */
  variant = ''

  value(value: unknown): string {
    this.values.push(value)
    return `$${this.values.length}`
  }
}

/** Returns the regulator of a window. For licensed domains `geo` is a jurisdiction, not a regulator. */
function regulatorOf(filters: DomainFilters, clauses: Clauses): string | undefined {
  if (filters.geo === undefined || filters.verdict === 'licensed') return undefined
  clauses.variant += '_geo'
  return `${clauses.value(filters.geo)}::text`
}

function newlyListed(listedSince: string, filters: DomainFilters, clauses: Clauses): string[] {
  const conditions: string[] = []
  if (filters.since !== undefined) {
    conditions.push(`${listedSince} >= ${clauses.value(filters.since)}`)
    clauses.variant += '_since'
  }
  if (filters.until !== undefined) {
    conditions.push(`${listedSince} < ${clauses.value(filters.until)}`)
    clauses.variant += '_until'
  }
  return conditions
}

type Matching = { from: string; conditions: string[] }

/**
 * Matches domains without a current entry whose last one was last seen before `before`. An index serves the
 * first condition.
 */
function droppedOff(domainId: string, before: Date, filters: DomainFilters, clauses: Clauses): Matching {
  clauses.variant += '_drop'
  const regulator = regulatorOf(filters, clauses)
  const time = clauses.value(before)
  const scoped = `entry.known_to is null and entry.scope = 'domain'`
  const ofRegulator = regulator === undefined ? '' : ` and entry.regulator = ${regulator}`
  return {
    from: `cross join lateral (
       select max(entry.last_seen_at) as last_seen_at, bool_or(entry.listed) as listed
         from blocklist_entries entry
        where entry.domain_id = ${domainId} and ${scoped}${ofRegulator}
     ) entries`,
    conditions: [
      `${domainId} in (
         select entry.domain_id
           from blocklist_entries entry
          where ${scoped} and not entry.listed and entry.last_seen_at < ${time}${ofRegulator}
       )`,
      'not entries.listed',
      `entries.last_seen_at < ${time}`,
      ...newlyListed(listedSince(domainId, regulator ?? `''`), filters, clauses),
    ],
  }
}

// Matches domains by the filters. With `dropped_before` the verdict is the former one. A domain was `mixed`
// if a register had it when its last blocklist entry was last seen.
function matching(filters: DomainFilters, clauses: Clauses): string {
  const { droppedBefore, verdict } = filters
  const matched: Matching = { from: '', conditions: [] }
  if (isDropped(filters)) {
    clauses.variant += verdict === 'mixed' ? '_was_mixed' : '_was_block'
    matched.from = 'domains domain'
    matched.conditions.push(`${verdict === 'mixed' ? '' : 'not '}exists (
         select from authorisations authorisation
          where authorisation.domain_id = domain.id
            and authorisation.counts
            and authorisation.first_seen_at <= entries.last_seen_at
            and (authorisation.known_to is null or authorisation.last_seen_at > entries.last_seen_at)
       )`)
  } else {
    // The empty geo lists every domain of a verdict, so a page is one range of the primary key.
    matched.from = 'domain_listings listing'
    if (filtersBySite(filters))
      matched.from += '\n       join domains domain on domain.id = listing.domain_id'
    matched.conditions.push(`listing.verdict = ${clauses.value(verdict)}`)
    matched.conditions.push(`listing.geo = ${clauses.value(filters.geo ?? '')}`)
  }
  if (droppedBefore === undefined) {
    matched.conditions.push(...newlyListed('listing.listed_since', filters, clauses))
  } else {
    const domainId = isDropped(filters) ? 'domain.id' : 'listing.domain_id'
    const { from, conditions } = droppedOff(domainId, droppedBefore, filters, clauses)
    matched.from += `\n     ${from}`
    matched.conditions.push(...conditions)
  }
  if (filters.paymentCategory !== undefined) {
    matched.conditions.push(`domain.payment_categories @> array[${clauses.value(filters.paymentCategory)}]`)
    clauses.variant += '_pay'
  }
  if (filters.platformId !== undefined) {
    matched.conditions.push(`domain.platform_id = ${clauses.value(filters.platformId)}`)
    clauses.variant += '_plat'
  }
  return `from ${matched.from}\n     where ${matched.conditions.join('\n       and ')}`
}

function isDropped(filters: DomainFilters): boolean {
  return filters.droppedBefore !== undefined && filters.verdict !== 'licensed'
}

function isWindowed(filters: DomainFilters): boolean {
  return filters.since !== undefined || filters.until !== undefined || filters.droppedBefore !== undefined
}

function filtersBySite({ paymentCategory, platformId }: DomainFilters): boolean {
  return paymentCategory !== undefined || platformId !== undefined
}

function isCounted(filters: DomainFilters): boolean {
  return !isWindowed(filters) && !filtersBySite(filters)
}

function pageStatement(filters: DomainFilters, position: DomainPosition, rows: number): PreparedRead {
  const clauses = new Clauses()
  const match = matching(filters, clauses)
  const [row, members] = isDropped(filters)
    ? ['domain', listedMembers('domain')]
    : ['listing', 'listing.members']
  const order = `${row}.first_seen_at, ${row}.domain`
  let start = ''
  let skip = ''
  if ('after' in position) {
    const { firstSeenAt, domain } = position.after
    start = `and (${order}) > (${clauses.value(firstSeenAt)}::timestamptz, ${clauses.value(domain)})`
    clauses.variant += '_after'
  } else {
    skip = `offset ${clauses.value(position.offset)}`
  }
  const limit = clauses.value(rows)
  // One more row shows whether there is a next page. Node removes it, because an array of rows in SQL would
  // take half the time of a page of 1,000.
  const text = `
    select string_agg(line, '${betweenRows}' order by first_seen_at, domain) as lines,
           count(*) as found,
           (array_agg(first_seen_at order by first_seen_at, domain))[${limit}]::text as last_first_seen_at,
           (array_agg(domain order by first_seen_at, domain))[${limit}] as last_domain,
           (select version from dataset_version) as version,
           (select domains
              from domain_counts
             where verdict = ${clauses.value(filters.verdict)} and geo = ${clauses.value(filters.geo ?? '')}
           ) as counted
      from (
             select ${members} || case
                      when ${row}.platform_id in (select id from platforms where reviewed_at is not null)
                      then ',"platform_present":true' else ',"platform_present":false' end as line,
                    ${order}
               ${match}
               ${start}
              order by ${order}
              limit ${limit}::int + 1 ${skip}
           ) page`
  return {
    name: `search_domains${clauses.variant}`,
    text,
    values: clauses.values,
    genericPlan: isCounted(filters),
  }
}

function countStatement(filters: DomainFilters): PreparedRead {
  const clauses = new Clauses()
  const match = matching(filters, clauses)
  const text = `
    select count(*) as total, (select version from dataset_version) as version
      ${match}`
  return { name: `count_domains${clauses.variant}`, text, values: clauses.values }
}

const totalsCachedMax = 1_000
const totals = new WeakMap<World, LRUCache<string, { version: number; total: number }>>()

/** Counts a total that has no counter, once per dataset version. */
async function countedTotal(world: World, filters: DomainFilters, version: number): Promise<number> {
  let cache = totals.get(world)
  if (cache === undefined) {
    cache = new LRUCache({ max: totalsCachedMax })
    totals.set(world, cache)
  }
  const key = JSON.stringify(filters)
  const cached = cache.get(key)
  if (cached?.version === version) return cached.total
  const [counted] = await world.read<{ total: number; version: number }>(countStatement(filters))
  if (counted === undefined) return 0
  cache.set(key, counted)
  return counted.total
}

type PageRow = {
  lines: string | null
  found: number
  last_first_seen_at: string | null
  last_domain: string | null
  version: number
  counted: number | null
}

/** Reads a page of domains, ordered by first seen and domain. */
export async function readDomainPage(
  world: World,
  filters: DomainFilters,
  position: DomainPosition,
  rows: number,
): Promise<DomainPage> {
  const [page] = await world.read<PageRow>(pageStatement(filters, position, rows))
  if (page === undefined) throw new Error('an aggregate without groups returns one row')
  const { last_first_seen_at: firstSeenAt, last_domain: domain } = page
  const more = page.found > rows && firstSeenAt !== null && domain !== null
  return {
    rows: page.lines === null ? [] : ['{', page.found > rows ? withoutLast(page.lines) : page.lines, '}'],
    returned: Math.min(page.found, rows),
    next: more ? { firstSeenAt, domain } : null,
    total: isCounted(filters) ? (page.counted ?? 0) : await countedTotal(world, filters, page.version),
  }
}

const betweenRows = '},\n{'

const withoutLast = (lines: string): string => lines.slice(0, Math.max(0, lines.lastIndexOf(betweenRows)))
