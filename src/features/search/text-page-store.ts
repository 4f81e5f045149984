/**
 * Reads a page in one statement. Reading its rows by `ctid` takes 0.42 ms instead of 0.63 (docs/search.md).
 */
import { truncateKey } from '@baize/names'
import type { World } from '../../database/open.ts'
import type { SearchPosition, SearchSubject } from './contract.ts'
import { countOfTerms, facetsOf } from './facets-store.ts'
import { companiesNamed, type NamedCompany, type NameQueries } from './identify-store.ts'
import type { FacetRow } from './list-facets.ts'
import { conditions, idsText, MatchValues, rowsOf, type TextMatch, version } from './match-store.ts'
import { weighted } from './rows/document.ts'
import type { RowNames } from './rows/search-row.ts'
import { type TextQuery, tiers } from './text/text-query.ts'

export type TextRow = {
  id: number
  tier: number
  /** The exact float4 as text, so that a cursor restores the same number. */
  rank: string
  missing: number
  ref: string
  hit: string
  names: RowNames
  /** The domains of the row; empty unless one matches the text. */
  sites: readonly string[]
}

/** Facets are known (`none`), counted by the caller from ids (`ids`), or counted in SQL by field. */
export type FacetCounting = 'none' | 'ids' | { fields: readonly string[] }

type TextPageRequest = {
  position: SearchPosition
  limit: number
  counting: FacetCounting
  names: NameQueries | null
}

/** With more ids than this PostgreSQL counts, because parsing and counting them takes Node 6 ms. */
const idsMax = 50_000

export type TextPage = {
  rows: TextRow[]
  total: number
  facets: FacetRow[]
  /** The ids of all matches; null if they were not requested, or are too many. */
  ids: number[] | null
  named: NamedCompany[] | null
  version: number
}

/** Splits hits without parsing them, because each is JSON without line breaks. */
export const linesOf = (hits: string | null) => hits?.split('\n') ?? []

const orderOf = (row: string) => `${row}.tier desc, ${row}.rank desc, ${row}.missing, ${row}.ref`

/** Reads a page in a total order, so that pages of any size have the same rows. */
export async function readTextPage(
  world: World,
  match: TextMatch,
  request: TextPageRequest,
): Promise<TextPage> {
  const values = new MatchValues()
  const statement = textPageStatement(match, request, values)
  const [page] = await world.search<TextPageRow>(statement, values.list)
  const { rows, hits, ids, ...counted } = page as TextPageRow
  const lines = linesOf(hits)
  const columns = JSON.parse(`[${rows ?? ''}]`) as RowColumns[]
  return {
    ...counted,
    ids: ids === null ? null : (JSON.parse(`[${ids}]`) as number[]),
    rows: columns.map(([id, tier, rank, missing, ref, names, sites], index) => {
      return { id, tier, rank, missing, ref, hit: lines[index] as string, names, sites }
    }),
  }
}

type TextPageRow = Omit<TextPage, 'rows' | 'ids'> & {
  rows: string | null
  hits: string | null
  ids: string | null
}
type RowColumns = [
  id: number,
  tier: number,
  rank: string,
  missing: number,
  ref: string,
  names: RowNames,
  sites: string[],
]

function textPageStatement(
  match: TextMatch,
  { position, limit, counting, names }: TextPageRequest,
  values: MatchValues,
): string {
  const { subject, text } = match
  const isCounted = typeof counting === 'object'
  return `
    with matched as materialized (
      ${matchedRows(match, values, isCounted ? ', stored.facets' : '')}
    ),
    page as (
      select *
        from matched
        ${'after' in position ? `where ${isAfter(position.after, values)}` : ''}
       order by ${orderOf('matched')}
       limit ${values.add(limit, 'bigint')}
      offset ${values.add('offset' in position ? position.offset : 0, 'bigint')}
    )
    select string_agg(
             '[' || page.id || ',' || page.tier || ',"' || page.rank || '",' || page.missing
             || ',' || to_json(page.ref) || ',' || stored.names
             || ',' || ${sitesOf(subject, text, values)} || ']',
             ',' order by ${orderOf('page')}) as rows,
           string_agg(stored.hit::text, e'\\n' order by ${orderOf('page')}) as hits,
           (select count(*) from matched) as total,
           ${isCounted ? facetsHere(counting.fields, values) : `'[]'::json`} as facets,
           ${counting === 'ids' ? matchedIds : 'null'} as ids,
           ${names === null ? 'null' : `(${namedBy(names, values)})`}::json as named,
           ${version} as version
      from page
      join ${rowsOf(subject)} stored on stored.ctid = page.place`
}

/** Selects all matches; or, of many, those of a whole name and as many others as may be counted. */
function matchedRows(match: TextMatch, values: MatchValues, columns: string): string {
  const select = (rows: TextMatch) => `
      select stored.ctid as place, stored.id, stored.ref, stored.missing, ${tierOf(rows, values)} as tier,
             ts_rank(stored.document, ${values.add(match.text.rank, 'tsquery')}) as rank ${columns}
        from ${rowsOf(match.subject)} stored
       where ${conditions(rows, values)}`
  const { text, countMax } = match
  if (countMax === null) return select(match)
  const limit = () => `limit ${values.add(countMax, 'bigint')}`
  const names = text.tiers.filter(({ tier }) => tier >= tiers.nearlyName)
  if (names.length === 0) return `${select(match)} ${limit()}`
  const ofName = { ...match, text: { ...text, tiers: names } }
  const isOther = `(${conditions({ ...ofName, terms: [], domain: null, only: null }, values)}) is not true`
  return `(${select(ofName)}) union all (${select(match)} and ${isOther} ${limit()})`
}

const facetsHere = (fields: readonly string[], values: MatchValues) =>
  `(${facetsOf(fields, countOfTerms('matched'), values)})`

const matchedIds = `(select string_agg(id::text, ',') from matched having count(*) <= ${idsMax})`

/** Selects the first tier whose query matches. The last one needs no test. */
function tierOf({ ids, text }: TextMatch, values: MatchValues): string {
  const whens = text.tiers
    .slice(0, -1)
    .map(({ tier, query }) => `when stored.document @@ ${values.add(query, 'tsquery')} then ${tier}`)
  if (ids.length > 0)
    whens.unshift(`when stored.id = any (${values.add(idsText(ids), 'bigint[]')}) then ${tiers.name}`)
  const last = text.tiers.at(-1)?.tier ?? tiers.name
  return whens.length === 0 ? String(last) : `case ${whens.join(' ')} else ${last} end`
}

function sitesOf(subject: SearchSubject, { marks }: TextQuery, values: MatchValues): string {
  if (subject !== 'company') return 'stored.sites'
  const words = [...marks.words].map(word => weighted(truncateKey(word), 'D')).join(' | ')
  return `case when stored.document @@ ${values.add(words, 'tsquery')} then stored.sites else '[]' end`
}

const namedBy = (names: NameQueries, values: MatchValues) => `
  select coalesce(json_agg(named order by named.is_exact desc), '[]')
    from (${companiesNamed(names, values)}) named`

function isAfter([tier, rank, missing, ref]: readonly string[], values: MatchValues): string {
  return `(-tier, -rank, missing, ref)
                  > (-${values.add(Number(tier), 'int')}, -${values.add(rank, 'float4')},
                     ${values.add(Number(missing), 'int')}, ${values.add(ref, 'text')} collate "C")`
}
