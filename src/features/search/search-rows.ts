import { Failure } from '../../core/failure.ts'
import type { World } from '../../database/open.ts'
import type { ResultRow, SearchBasis, SearchPosition, SearchQuery, SearchResult } from './contract.ts'
import { keepFacets, knownFacets } from './count-facets.ts'
import { type FilterRow, readFilterPage } from './filter-page-store.ts'
import { keepIdentity, namesToIdentify } from './identify.ts'
import { type Evaluated, recall, remember } from './result-cache.ts'
import { countedField } from './rows/search-row.ts'
import {
  type Asked,
  atOneVersion,
  compileLike,
  evaluate,
  evaluated,
  likeMatch,
  type Outcome,
  settledMatch,
} from './summarise.ts'
import { markRow } from './text/mark-row.ts'
import { scoreOf, type TextQuery } from './text/text-query.ts'
import {
  isMatch,
  type Match,
  type PageStart,
  readTextPage,
  type TextPage,
  type TextRow,
} from './text-page-store.ts'

type Found = Omit<SearchResult, 'version'>

const nothing: Found = { total: 0, basis: null, rows: [], next: null, facets: null }

/**
 * A page of what matches, best first: with a text by how a row bears it (`tiers`), its rank, what is known of it, and its
 * ref; without one by what is known, then by name and ref. The order is total. `facets` are the fields that `facetCounts` will
 * be asked for next: where all that match are read anyway they are counted along with them, and told.
 */
export async function searchRows(
  world: World,
  what: SearchQuery,
  position: SearchPosition,
  rows: number,
  facets: readonly string[] = [],
): Promise<SearchResult> {
  const start = startOf(what, position)
  const { result, version } = await atOneVersion(world, what, nothing, 'last known', asked => {
    const { text } = asked.match
    if (text === null) return filterPage(world, asked, start, rows, facets)
    return textPage(world, what, asked, { ...asked.match, text }, start, rows, facets)
  })
  return { ...result, version }
}

/** Whether a Company or license is among all that is found, on whatever page. */
export async function isAmong(
  world: World,
  what: SearchQuery,
  id: number,
  at: number | 'now' = 'now',
): Promise<boolean> {
  const { result } = await atOneVersion(world, what, false, at, async asked => {
    const known = await evaluate(world, asked)
    const result = known.total > 0 && (await isMatch(world, settledMatch(asked, known), id))
    return { result, version: known.version }
  })
  return result
}

type Start = { page: PageStart; rowsBefore: number }

const textParts = 5
const filterParts = 4

/** A position that this search did not give, though it is signed, is of another kind of search. */
function startOf({ text }: SearchQuery, position: SearchPosition): Start {
  if ('offset' in position) return { page: position, rowsBefore: position.offset }
  const { after } = position
  const rowsBefore = Number(after.at(-1))
  if (after.length !== (text === undefined ? filterParts : textParts) || !Number.isSafeInteger(rowsBefore))
    throw new Failure('invalid_cursor', { details: { parameter: 'after' } })
  return { page: { after }, rowsBefore }
}

type Text = Match & { text: TextQuery }

async function textPage(
  world: World,
  what: SearchQuery,
  asked: Asked,
  typed: Text,
  start: Start,
  limit: number,
  facets: readonly string[],
): Promise<Outcome<Found>> {
  const known = recall(world, asked.key, asked.version)
  if (known?.total === 0) return { result: nothing, version: null }
  const uncounted = facets.filter(field => known?.facets.has(field) !== true)
  const names = what.subject === 'company' ? namesToIdentify(world, what, typed.text, asked.version) : null
  const besides = { fields: uncounted.map(countedField), names }
  const read = (match: Text) => readTextPage(world, match, start.page, limit + 1, besides)
  const { match, page, found } =
    known === undefined ? await settle(world, asked, typed, read) : await readSettled(asked, known, read)
  keepFacets(found, uncounted, page)
  if (page.called !== null) keepIdentity(world, what, page.called, page.version)
  const told = tellTextPage(match, page, found.basis, start, limit)
  return { result: { ...told, facets: knownFacets(found, facets) }, version: page.version }
}

type Settled = { match: Text; page: TextPage; found: Evaluated }

/** The first page that is read of a search tells how many match, and whether they bear the text or are like it. */
async function settle(
  world: World,
  asked: Asked,
  typed: Text,
  read: (match: Text) => Promise<TextPage>,
): Promise<Settled> {
  const page = await read(typed)
  const like = page.total === 0 ? await compileLike(world, asked) : null
  if (like === null) {
    const found = remember(world, asked.key, evaluated(page, 'text'))
    return { match: typed, page, found }
  }
  const match = likeMatch(typed, like)
  const alike = await read(match)
  return { match, page: alike, found: remember(world, asked.key, evaluated(alike, 'similar', like)) }
}

async function readSettled(
  asked: Asked,
  found: Evaluated,
  read: (match: Text) => Promise<TextPage>,
): Promise<Settled> {
  const match = settledMatch(asked, found) as Text
  return { match, page: await read(match), found }
}

function tellTextPage(
  match: Text,
  { rows: read, total }: TextPage,
  basis: SearchBasis,
  { rowsBefore }: Start,
  limit: number,
): Omit<Found, 'facets'> {
  const rows = read.slice(0, limit).map((row, index) => tellTextRow(match, row, rowsBefore + index + 1))
  const last = read.length > limit ? read[limit - 1] : undefined
  const next = last === undefined ? null : textPosition(last, rowsBefore + rows.length)
  return { total, basis: total === 0 ? null : basis, rows, next }
}

function tellTextRow({ subject, ids, text }: Text, row: TextRow, rank: number): ResultRow {
  // A Company of more domains than its document holds is found by all of them.
  const { domain } = text.marks
  const isOwned = domain !== null && ids.includes(row.id)
  const { id, hit, tier, names } = row
  const sites = isOwned ? [domain, ...row.sites] : row.sites
  const { matchedFields, highlight } = markRow(subject, { names, sites }, text.marks)
  return { id, hit, rank, score: scoreOf(tier, Number(row.rank)), matchedFields, highlight }
}

const textPosition = (row: TextRow, rowsBefore: number) => [
  String(row.tier),
  row.rank,
  String(row.missing),
  row.ref,
  String(rowsBefore),
]

async function filterPage(
  world: World,
  asked: Asked,
  start: Start,
  limit: number,
  facets: readonly string[],
): Promise<Outcome<Found>> {
  const known = await evaluate(world, asked)
  const { total, basis } = known
  if (total === 0) return { result: nothing, version: null }
  const isScan = isSoonFound(asked, start.page, limit)
  const page = await readFilterPage(world, asked.match, start.page, limit + 1, isScan)
  const rows: ResultRow[] = page.rows.slice(0, limit).map((row, index) => ({
    id: row.id,
    hit: row.hit,
    rank: start.rowsBefore + index + 1,
    score: null,
    matchedFields: [],
    highlight: {},
  }))
  const last = page.rows.length > limit ? page.rows[limit - 1] : undefined
  const next = last === undefined ? null : filterPosition(last, start.rowsBefore + rows.length)
  const counted = known.version === page.version ? knownFacets(known, facets) : null
  return { result: { total, basis, rows, next, facets: counted }, version: page.version }
}

const filterPosition = (row: FilterRow, rowsBefore: number) => [
  String(row.missing),
  row.sortName,
  row.ref,
  String(rowsBefore),
]

/**
 * Whether walking the rows in their order meets a page of matches before all matches were gathered and sorted. Terms are
 * taken to be independent; where they are not, the walk is longer, and ends at the end of the rows.
 */
function isSoonFound({ every, termRows, match }: Asked, start: PageStart, limit: number): boolean {
  if (match.domain !== null || match.only !== null) return false
  const wanted = ('offset' in start ? start.offset : 0) + limit
  const share = termRows.reduce((product, rows) => product * (rows / every), 1)
  return wanted / share < Math.min(every, ...termRows)
}
