import { CompiledQuery } from 'kysely'
import { truncateKey } from '../../core/search-text.ts'
import type { World } from '../../database/open.ts'
import type { SearchSubject } from './contract.ts'
import { idsOfDomain } from './dictionary-store.ts'
import { companiesCalled, type NamedCompany, type NamesAsked } from './identify-store.ts'
import { weighted } from './rows/document.ts'
import type { RowNames } from './rows/search-row.ts'
import { idsText, Values } from './statement.ts'
import { anyTier, type TextQuery, tiers } from './text/text-query.ts'

/** Which rows match, in the words of the index. */
export type Match = {
  subject: SearchSubject
  text: TextQuery | null
  /** Rows that bear the text because it is a domain of theirs. */
  ids: readonly number[]
  /** Ids of the terms that a row must hold, all of them. */
  terms: readonly number[]
  /** Few rows bear the text: they are read, and their terms looked at, sooner than an index has found who holds the terms. */
  isBorneByFew: boolean
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
  /** As it is stored. */
  hit: string
  names: RowNames
  /** Domains, where one of them bears the text. */
  sites: readonly string[]
}

export type FacetRow = { field: string; value: string; count: number }

/** What a page tells besides its rows, in the same statement: counts of fields, and which Companies are called so. */
export type Besides = { fields: readonly string[]; names: NamesAsked | null }

/** `called` is null where no names were asked for. */
export type TextPage = {
  rows: TextRow[]
  total: number
  facets: FacetRow[]
  called: NamedCompany[] | null
  version: number
}

export const version = '(select version from dataset_version)'
export const rowsOf = (subject: SearchSubject) => `${subject}_search`

/** Hits are JSON without a line break: a page of them goes as lines, and is taken apart without being read. */
export const linesOf = (hits: string | null) => hits?.split('\n') ?? []

/** An empty list of terms would be a question that an index answers by reading itself whole. */
export function conditions(
  { subject, text, ids, terms, isBorneByFew, domain, only }: Match,
  values: Values,
  isScan = false,
): string {
  const parts: string[] = []
  if (text !== null) {
    const bears = `held.document @@ ${values.add(anyTier(text), 'tsquery')}`
    parts.push(
      ids.length === 0 ? bears : `(${bears} or held.id = any (${values.add(idsText(ids), 'bigint[]')}))`,
    )
  }
  if (terms.length > 0) {
    const holds = `held.terms @> ${values.add(idsText(terms), 'int[]')}`
    // `is true` is what no index of terms answers: the rows are met in another way, and looked at.
    parts.push(isScan || isBorneByFew ? `(${holds}) is true` : holds)
  }
  if (domain !== null) parts.push(`held.id in (${idsOfDomain(subject, values.add(domain, 'text'))})`)
  if (only !== null) parts.push(`held.id = any (${values.add(idsText(only), 'bigint[]')})`)
  return parts.length === 0 ? 'true' : parts.join(' and ')
}

/** A row that matches is of one of the tiers: of the last, if of none before it. */
function tierOf({ ids }: Match, text: TextQuery, values: Values): string {
  const whens = text.tiers
    .slice(0, -1)
    .map(({ tier, query }) => `when held.document @@ ${values.add(query, 'tsquery')} then ${tier}`)
  if (ids.length > 0)
    whens.unshift(`when held.id = any (${values.add(idsText(ids), 'bigint[]')}) then ${tiers.name}`)
  const last = text.tiers.at(-1)?.tier ?? tiers.name
  return whens.length === 0 ? String(last) : `case ${whens.join(' ')} else ${last} end`
}

/** The domains of a Company, only where one of them bears a word of the text. */
function sitesOf(subject: SearchSubject, { marks }: TextQuery, values: Values): string {
  if (subject !== 'company') return 'held.sites'
  const borne = [...marks.words].map(word => weighted(truncateKey(word), 'D')).join(' | ')
  return `case when held.document @@ ${values.add(borne, 'tsquery')} then held.sites else '[]' end`
}

type TextPageRow = Omit<TextPage, 'rows'> & { rows: string | null; hits: string | null }
type RowTold = [id: number, tier: number, rank: string, missing: number, ref: string, RowNames, string[]]

/**
 * A page of what bears a text, the best first; the order is total, so any division into pages gives the same rows. All that
 * match are at hand then, and counted by `fields` along the way. Rows of the page are met again where they lie (ctid): in one
 * statement they stay there.
 */
export async function readTextPage(
  world: World,
  match: Match & { text: TextQuery },
  start: PageStart,
  limit: number,
  { fields, names }: Besides,
): Promise<TextPage> {
  const { subject, text } = match
  const values = new Values()
  const isCounted = fields.length > 0
  const order = (row: string) => `${row}.tier desc, ${row}.rank desc, ${row}.missing, ${row}.ref`
  const statement = `
    with matched as materialized (
      select held.ctid as place, held.id, held.ref, held.missing, ${tierOf(match, text, values)} as tier,
             ts_rank(held.document, ${values.add(text.rank, 'tsquery')}) as rank${isCounted ? ', held.facets' : ''}
        from ${rowsOf(subject)} held
       where ${conditions(match, values)}
    ),
    page as (
      select *
        from matched
        ${'after' in start ? `where ${behindText(start.after, values)}` : ''}
       order by ${order('matched')}
       limit ${values.add(limit, 'bigint')} offset ${values.add('offset' in start ? start.offset : 0, 'bigint')}
    )
    select string_agg(
             '[' || page.id || ',' || page.tier || ',"' || page.rank || '",' || page.missing || ',' || to_json(page.ref)
             || ',' || held.names || ',' || ${sitesOf(subject, text, values)} || ']',
             ',' order by ${order('page')}) as rows,
           string_agg(held.hit::text, e'\\n' order by ${order('page')}) as hits,
           (select count(*) from matched) as total,
           ${isCounted ? `(${countedBy(fields, countOfTerms('matched'), values)})` : `'[]'::json`} as facets,
           ${names === null ? 'null' : `(${calledBy(names, values)})`}::json as called,
           ${version} as version
      from page
      join ${rowsOf(subject)} held on held.ctid = page.place`
  const [found] = await world.search<TextPageRow>(statement, values.held)
  const { rows, hits, ...counted } = found as TextPageRow
  const lines = linesOf(hits)
  const told = JSON.parse(`[${rows ?? ''}]`) as RowTold[]
  return {
    ...counted,
    rows: told.map(([id, tier, rank, missing, ref, names, sites], index) => {
      return { id, tier, rank, missing, ref, hit: lines[index] as string, names, sites }
    }),
  }
}

const calledBy = (names: NamesAsked, values: Values) => `
  select coalesce(json_agg(called order by called.is_spelt_so desc), '[]')
    from (${companiesCalled(names, values)}) called`

function behindText([tier, rank, missing, ref]: readonly string[], values: Values): string {
  return `(-tier, -rank, missing, ref)
                  > (-${values.add(Number(tier), 'int')}, -${values.add(rank, 'float4')}, ${values.add(Number(missing), 'int')},
                     ${values.add(ref, 'text')} collate "C")`
}

/** A statement that is planned for its values. */
export async function planned<Row>(world: World, statement: string, values: Values): Promise<Row[]> {
  return (await world.searches.executeQuery<Row>(CompiledQuery.raw(statement, values.held))).rows
}

/** A text is answered by the index whatever it is, so its plan is kept; filters alone are planned for their values. */
const run = <Row>(world: World, { text }: Match, statement: string, values: Values): Promise<Row[]> =>
  text === null ? planned(world, statement, values) : world.search<Row>(statement, values.held)

export async function countMatch(world: World, match: Match): Promise<{ total: number; version: number }> {
  const values = new Values()
  const statement = `
    select count(*) as total, ${version} as version
      from ${rowsOf(match.subject)} held
     where ${conditions(match, values)}`
  const rows = await run<{ total: number; version: number }>(world, match, statement, values)
  return rows[0] as { total: number; version: number }
}

export async function isMatch(world: World, match: Match, id: number): Promise<boolean> {
  const values = new Values()
  const statement = `
    select exists (
      select from ${rowsOf(match.subject)} held
       where held.id = ${values.add(id, 'bigint')} and ${conditions(match, values)}
    ) as found`
  const rows = await planned<{ found: boolean }>(world, statement, values)
  return rows[0]?.found ?? false
}

/** How many of the rows hold each term. */
const countOfTerms = (rows: string) => `
  select term as id, count(*) as count
    from ${rows} counted
   cross join unnest(counted.facets) as term
   group by term`

/** The counted terms of the fields, as one value. */
const countedBy = (fields: readonly string[], counts: string, values: Values) => `
  select coalesce(json_agg(json_build_object('field', term.field, 'value', term.value, 'count', counted.count)), '[]')
    from (${counts}) counted
    join search_terms term using (id)
   where term.field = any (${values.add([...fields], 'text[]')})`

/** How many of the rows hold each term of the fields. */
export async function readFacets(
  world: World,
  match: Match,
  fields: readonly string[],
): Promise<{ facets: FacetRow[]; version: number }> {
  const values = new Values()
  const isAll =
    match.text === null && match.terms.length === 0 && match.domain === null && match.only === null
  const counts = isAll
    ? `select id, rows as count from search_terms where subject = ${values.add(match.subject, 'text')} and rows > 0`
    : countOfTerms(
        `(select held.facets from ${rowsOf(match.subject)} held where ${conditions(match, values)})`,
      )
  const statement = `select (${countedBy(fields, counts, values)}) as facets, ${version} as version`
  const rows = await run<{ facets: FacetRow[]; version: number }>(world, match, statement, values)
  return rows[0] as { facets: FacetRow[]; version: number }
}
