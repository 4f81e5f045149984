/** Counts the rows with the text or, without any, with similar words. */
import type { World } from '../../database/open.ts'
import type { PreparedQuery } from './at-one-version.ts'
import { countMatch, type Match } from './match-store.ts'
import { cachedSummary, cacheSummary, type SearchSummary } from './result-cache.ts'
import { compileSimilar, similarWordsOf, vocabularyQueries } from './text/similar-query.ts'
import type { TextQuery } from './text/text-query.ts'
import { findWords } from './text/words-store.ts'

export async function summariseSearch(world: World, query: PreparedQuery): Promise<SearchSummary> {
  const { key, version, match } = query
  const cached = cachedSummary(world, key, version)
  if (cached !== undefined) return cached
  const total = totalInDictionary(query)
  if (total !== null) return cacheSummary(world, key, summaryOf({ version, total }, 'filters'))
  const counted = await countMatch(world, match)
  const similar = match.text === null || counted.total > 0 ? null : await compileSimilarText(world, query)
  if (similar === null) {
    const basis = match.text === null ? 'filters' : 'text'
    return cacheSummary(world, key, summaryOf(counted, basis))
  }
  const similarCounted = await countMatch(world, similarMatch(match, similar))
  return cacheSummary(world, key, summaryOf(similarCounted, 'similar', similar))
}

function totalInDictionary({ match, rowCount, termRows }: PreparedQuery): number | null {
  if (match.text !== null || match.domain !== null || match.only !== null || termRows.length > 1) return null
  return termRows[0] ?? rowCount
}

export function summaryOf(
  { version, total }: { version: number; total: number },
  basis: 'text' | 'similar' | 'filters',
  similar: TextQuery | null = null,
): SearchSummary {
  return { version, total, basis: total === 0 ? null : basis, similar, facets: new Map() }
}

export function countedMatch({ match }: PreparedQuery, { basis, similar }: SearchSummary): Match {
  return basis === 'similar' && similar !== null ? similarMatch(match, similar) : match
}

/**
 * Searches similar words. It has no ids, because a domain must match as typed. Similar words may be common.
 */
export const similarMatch = (match: Match, similar: TextQuery) => ({
  ...match,
  text: similar,
  ids: [],
  isRareText: false,
})

export async function compileSimilarText(
  world: World,
  { typed, match }: PreparedQuery,
): Promise<TextQuery | null> {
  const words = similarWordsOf(typed ?? '')
  if (words.length === 0) return null
  return compileSimilar(words, await findWords(world, match.subject, vocabularyQueries(words)))
}
