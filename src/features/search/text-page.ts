import type { World } from '../../database/open.ts'
import type { PreparedQuery, VersionedResult } from './at-one-version.ts'
import type { ResultRow, SearchBasis, SearchQuery } from './contract.ts'
import { cachedFacets, cacheFacets } from './count-facets.ts'
import { followFacets } from './facets/follow-facets.ts'
import { cacheIdentity, namesToLookUp } from './identify.ts'
import type { FacetRow } from './list-facets.ts'
import type { TextMatch } from './match-store.ts'
import { nothing, type PageContext, type PageOfRows, type PageStart } from './page-start.ts'
import { cachedSummary, cacheSummary, type SearchSummary } from './result-cache.ts'
import { countedField } from './rows/search-row.ts'
import { compileSimilarText, countedMatch, similarMatch, summaryOf } from './summarise.ts'
import { markRow } from './text/mark-row.ts'
import { scoreOf } from './text/text-query.ts'
import { type FacetCounting, readTextPage, type TextPage, type TextRow } from './text-page-store.ts'

export async function textPage(
  world: World,
  { query, prepared, start, limit, facets }: PageContext,
  typed: TextMatch,
): Promise<VersionedResult<PageOfRows>> {
  const { key, version } = prepared
  const cached = cachedSummary(world, key, version)
  if (cached?.total === 0) return { result: nothing, version: null }
  const uncounted = facets.filter(field => cached?.facets.has(field) !== true)
  const names = query.subject === 'company' ? namesToLookUp(world, query, typed.text, version) : null
  const counting = countingOf(world, query, uncounted)
  const read: ReadPage = match =>
    readTextPage(world, match, { position: start.position, limit: limit + 1, counting, names })
  const { match, page, summary } =
    cached === undefined
      ? await readFirst(world, prepared, typed, read)
      : await readAgain(prepared, cached, read)
  const counted = await countedFacets(world, query, page, counting)
  if (counted !== null) cacheFacets(summary, uncounted, { facets: counted, version: page.version })
  if (page.named !== null) cacheIdentity(world, query, page.named, page.version)
  const rows = pageOfRows({ match, page, basis: summary.basis, start, limit })
  return { result: { ...rows, facets: cachedFacets(summary, facets) }, version: page.version }
}

function countingOf(world: World, { subject }: SearchQuery, fields: readonly string[]): FacetCounting {
  if (fields.length === 0) return 'none'
  return followFacets(world, subject).isReady ? 'ids' : { fields: fields.map(countedField) }
}

/** Counts the facets of a page; null if `countFacets` must count them. */
async function countedFacets(
  world: World,
  { subject }: SearchQuery,
  { facets, ids, total, version }: TextPage,
  counting: FacetCounting,
): Promise<readonly FacetRow[] | null> {
  if (counting !== 'ids' || total === 0) return facets
  return ids === null ? null : followFacets(world, subject).count(ids, version)
}

type ReadPage = (match: TextMatch) => Promise<TextPage>
type PageRead = { match: TextMatch; page: TextPage; summary: SearchSummary }

async function readFirst(
  world: World,
  prepared: PreparedQuery,
  typed: TextMatch,
  read: ReadPage,
): Promise<PageRead> {
  const page = await read(typed)
  const similar = page.total === 0 ? await compileSimilarText(world, prepared) : null
  if (similar === null) {
    const summary = cacheSummary(world, prepared.key, summaryOf(page, 'text'))
    return { match: typed, page, summary }
  }
  const match = similarMatch(typed, similar)
  const similarPage = await read(match)
  const summary = cacheSummary(world, prepared.key, summaryOf(similarPage, 'similar', similar))
  return { match, page: similarPage, summary }
}

async function readAgain(prepared: PreparedQuery, summary: SearchSummary, read: ReadPage): Promise<PageRead> {
  const match = countedMatch(prepared, summary) as TextMatch
  return { match, page: await read(match), summary }
}

type PageParts = {
  match: TextMatch
  page: TextPage
  basis: SearchBasis
  start: PageStart
  limit: number
}

function pageOfRows({ match, page, basis, start, limit }: PageParts): Omit<PageOfRows, 'facets'> {
  const { total } = page
  const { rowsBefore } = start
  const rows = page.rows.slice(0, limit).map((row, index) => textResult(match, row, rowsBefore + index + 1))
  const last = page.rows.length > limit ? page.rows[limit - 1] : undefined
  const next = last === undefined ? null : textPositionAfter(last, rowsBefore + rows.length)
  return { total, basis: total === 0 ? null : basis, rows, next }
}

function textResult({ subject, ids, text }: TextMatch, row: TextRow, rank: number): ResultRow {
  // The document has only the first domains of a Company, and `ids` come from all of them.
  const { domain } = text.marks
  const isOwned = domain !== null && ids.includes(row.id)
  const { id, hit, tier, names } = row
  const sites = isOwned ? [domain, ...row.sites] : row.sites
  const { matchedFields, highlight } = markRow(subject, { names, sites }, text.marks)
  return { id, hit, rank, score: scoreOf(tier, Number(row.rank)), matchedFields, highlight }
}

const textPositionAfter = (row: TextRow, rowsBefore: number) => [
  String(row.tier),
  row.rank,
  String(row.missing),
  row.ref,
  String(rowsBefore),
]
