import { type RawBuilder, sql } from 'kysely'
import { bounded } from '../../core/search-text.ts'
import type { World } from '../../database/open.ts'
import type { SearchSubject } from './contract.ts'
import { idsOfDomain } from './look-up-store.ts'
import { shownDomains } from './rows/company-facts-store.ts'
import { rowsTable } from './rows/keep-rows-store.ts'
import { anyTier, eitherOf, type TextQuery, tiers } from './text/text-query.ts'

/** Which rows match, in the words of the index. */
export type Match = {
  subject: SearchSubject
  text: TextQuery | null
  /** Rows that bear the text because it is a domain of theirs. */
  ids: readonly number[]
  /** Ids of the terms that a row must hold, all of them. */
  terms: readonly number[]
  domain: string | null
  /** null: all rows are looked at. */
  only: readonly number[] | null
}

/** As a position is sent: text that gives the same number back. */
export type PageStart = { after: readonly string[] } | { offset: number }

export type TextRow = {
  id: number
  tier: number
  /** The exact value of a float4, for a position. */
  rank: string
  missing: number
  ref: string
  hit: Record<string, unknown>
  legal_entity: string | null
  brands: string[]
  aliases: string[]
  domains: string[]
}

export type FilterRow = Pick<TextRow, 'id' | 'missing' | 'ref' | 'hit'> & { sort_name: string }

export type FacetRow = { field: string; value: string; count: number }

/** `facets`: of the fields that were asked for. */
export type TextPage = { rows: TextRow[]; total: number; facets: FacetRow[]; version: number }

const version = sql`(select version from dataset_version)`

/** An empty list of terms would be a question that an index answers by reading itself whole. */
function conditions({ subject, text, ids, terms, domain, only }: Match, isScan = false): RawBuilder<unknown> {
  const parts: RawBuilder<unknown>[] = []
  if (text !== null) {
    const bears = sql`held.document @@ ${anyTier(text)}::tsquery`
    parts.push(ids.length === 0 ? bears : sql`(${bears} or held.id = any (${[...ids]}::bigint[]))`)
  }
  if (terms.length > 0) {
    const holds = sql`held.terms @> ${[...terms]}::int[]`
    // `is true` is what no index of terms answers: the rows are walked in their order, and looked at.
    parts.push(isScan ? sql`(${holds}) is true` : holds)
  }
  if (domain !== null) parts.push(sql`held.id in (${idsOfDomain(subject, domain)})`)
  if (only !== null) parts.push(sql`held.id = any (${[...only]}::bigint[])`)
  return parts.length === 0 ? sql`true` : sql.join(parts, sql` and `)
}

function tierOf({ ids }: Match, text: TextQuery): RawBuilder<unknown> {
  const whens = text.tiers.map(
    ({ tier, query }) => sql`when held.document @@ ${query}::tsquery then ${sql.lit(tier)}`,
  )
  const domain =
    ids.length === 0 ? [] : [sql`when held.id = any (${[...ids]}::bigint[]) then ${sql.lit(tiers.name)}`]
  return sql`case ${sql.join([...domain, ...whens], sql` `)} end`
}

/**
 * A page of what bears a text, the best first; the order is total, so any division into pages gives the same rows. All that
 * match are at hand then, and counted by `fields` along the way.
 */
export async function readTextPage(
  world: World,
  match: Match & { text: TextQuery },
  start: PageStart,
  limit: number,
  fields: readonly string[],
): Promise<TextPage> {
  const { subject, text } = match
  const [tier, rank, missing, ref] = 'after' in start ? start.after : []
  const behind =
    'after' in start
      ? sql`where (-tier, -rank, missing, ref)
                  > (-${Number(tier)}::int, -${rank}::float4, ${Number(missing)}::int, ${ref}::text collate "C")`
      : sql``
  const isCounted = fields.length > 0
  const page = sql<TextPage>`
    with matched as materialized (
      select held.id, held.ref, held.missing, ${tierOf(match, text)} as tier,
             ts_rank(held.document, ${text.rank}::tsquery) as rank${isCounted ? sql`, held.facets` : sql``}
        from ${rowsTable(subject)} held
       where ${conditions(match)}
    ),
    page as (
      select *
        from matched
        ${behind}
       order by -tier, -rank, missing, ref
       limit ${limit} offset ${'offset' in start ? start.offset : 0}
    )
    select coalesce(
             json_agg(
               json_build_object('id', page.id, 'tier', page.tier, 'rank', page.rank::text, 'missing', page.missing,
                                 'ref', page.ref, 'hit', held.hit, 'legal_entity', named.legal_entity,
                                 'brands', named.brands, 'aliases', named.aliases, 'domains', named.domains)
               order by -page.tier, -page.rank, page.missing, page.ref),
             '[]') as rows,
           (select count(*) from matched) as total,
           ${isCounted ? sql`(${countedBy(fields, countOfTerms(sql`matched`))})` : sql`'[]'::json`} as facets,
           ${version} as version
      from page
      join ${rowsTable(subject)} held using (id)
     cross join lateral (${namesOf(subject, text)}) named`
  const [found] = await run(world, match, page)
  return found as TextPage
}

/** A text is answered by the index whatever it is, so its plan is kept; filters alone are planned for their values. */
async function run<Row>(world: World, { text }: Match, query: RawBuilder<Row>): Promise<Row[]> {
  if (text === null) return (await query.execute(world.searches)).rows
  const { sql: statement, parameters } = query.compile(world.searches)
  return world.search<Row>(statement, parameters)
}

/** What a row is found by and does not show; of domains only where one of them bears the text. */
function namesOf(subject: SearchSubject, { marks }: TextQuery): RawBuilder<unknown> {
  const marked = eitherOf([...marks.words].map(word => bounded(word)))
  return subject === 'company'
    ? sql`
      select company.legal_entity, company.brands, company.aliases,
             case when ts_filter(held.document, '{d}') @@ ${marked}::tsquery
               then array(select shown.domain from ${shownDomains(sql`company.id`)} shown order by shown.position)
               else '{}'
             end as domains
        from companies company
       where company.id = page.id`
    : sql`
      select company.legal_entity, '{}'::text[] as brands, '{}'::text[] as aliases, '{}'::text[] as domains
        from licenses license
        left join companies holder on holder.id = license.company_id
        left join companies company on company.id = coalesce(holder.merged_into, holder.id)
       where license.id = page.id`
}

/**
 * A page without a text: what is best known first, then by name. `isScan`: many rows match, so walking them in their order
 * comes to a page soon; otherwise they are found by their terms, and sorted.
 */
export async function readFilterPage(
  world: World,
  match: Match,
  start: PageStart,
  limit: number,
  isScan: boolean,
): Promise<{ rows: FilterRow[]; version: number }> {
  const [missing, sortName, ref] = 'after' in start ? start.after : []
  const behind =
    'after' in start
      ? sql`and (held.missing, held.sort_name, held.ref)
                > (${Number(missing)}::int, ${sortName}::text collate "C", ${ref}::text collate "C")`
      : sql``
  const { rows } = await sql<{ rows: FilterRow[]; version: number }>`
    with page as materialized (
      select held.id, held.ref, held.missing, held.sort_name, held.hit
        from ${rowsTable(match.subject)} held
       where ${conditions(match, isScan)}
         ${behind}
       order by held.missing, held.sort_name, held.ref
       limit ${limit} offset ${'offset' in start ? start.offset : 0}
    )
    select coalesce(json_agg(page order by missing, sort_name, ref), '[]') as rows, ${version} as version
      from page`.execute(world.searches)
  return rows[0] as { rows: FilterRow[]; version: number }
}

export async function countMatch(world: World, match: Match): Promise<{ total: number; version: number }> {
  const rows = await run(
    world,
    match,
    sql<{ total: number; version: number }>`
    select count(*) as total, ${version} as version
      from ${rowsTable(match.subject)} held
     where ${conditions(match)}`,
  )
  return rows[0] as { total: number; version: number }
}

export async function isMatch(world: World, match: Match, id: number): Promise<boolean> {
  const { rows } = await sql<{ found: boolean }>`
    select exists (
      select from ${rowsTable(match.subject)} held where held.id = ${id} and ${conditions(match)}
    ) as found`.execute(world.searches)
  return rows[0]?.found ?? false
}

/** How many of the rows hold each term. */
const countOfTerms = (rows: RawBuilder<unknown>) => sql`
  select term as id, count(*) as count
    from ${rows} counted
   cross join unnest(counted.facets) as term
   group by term`

/** The counted terms of the fields, as one value. */
const countedBy = (fields: readonly string[], counts: RawBuilder<unknown>) => sql`
  select coalesce(json_agg(json_build_object('field', term.field, 'value', term.value, 'count', counted.count)), '[]')
    from (${counts}) counted
    join search_terms term using (id)
   where term.field = any (${[...fields]}::text[])`

/** How many of the rows hold each term of the fields. */
export async function readFacets(
  world: World,
  match: Match,
  fields: readonly string[],
): Promise<{ facets: FacetRow[]; version: number }> {
  const isAll =
    match.text === null && match.terms.length === 0 && match.domain === null && match.only === null
  const counts = isAll
    ? sql`select id, rows as count from search_terms where subject = ${match.subject} and rows > 0`
    : countOfTerms(sql`(select held.facets from ${rowsTable(match.subject)} held where ${conditions(match)})`)
  const facets = sql<{ facets: FacetRow[]; version: number }>`
    select (${countedBy(fields, counts)}) as facets, ${version} as version`
  const rows = await run(world, match, facets)
  return rows[0] as { facets: FacetRow[]; version: number }
}
