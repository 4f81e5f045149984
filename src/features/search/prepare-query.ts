import { createHash } from 'node:crypto'
import { foldValue, truncateKey } from '../../core/search-text.ts'
import type { World } from '../../database/open.ts'
import type { SearchQuery, TermFilter } from './contract.ts'
import { type AtVersion, lookUpTerms } from './dictionary.ts'
import type { Match } from './match-store.ts'
import { isFolded } from './rows/search-row.ts'
import { isRareText } from './text/common-words.ts'
import { compileText } from './text/text-query.ts'

/** A query with its terms looked up, to be run at one version of the data. */
export type PreparedQuery = {
  key: string
  version: number
  typed: string | null
  match: Match
  /** How many rows the subject has, and how many have each of the terms. */
  rowCount: number
  termRows: readonly number[]
}

/** `query` is null if no row can match: a filter value that no row has, or a text with nothing to search. */
export async function prepareQuery(
  world: World,
  query: SearchQuery,
  at: AtVersion,
): Promise<{ version: number; query: PreparedQuery | null }> {
  const { subject, text, domain, ids } = query
  const filters = distinct(query.filters)
  const compiled = text === undefined ? null : compileText(subject, text)
  const textDomain = compiled?.marks.domain ?? null
  const entries = await lookUpTerms(world, { subject, filters, textDomain }, at)
  const { version, terms } = entries
  const hasUnknownTerm = terms.length < filters.length
  if (ids?.length === 0 || hasUnknownTerm || (text !== undefined && compiled === null))
    return { version, query: null }
  const match: Match = {
    subject,
    text: compiled,
    ids: entries.ids,
    terms: terms.map(({ id }) => id),
    isRareText: compiled !== null && filters.length > 0 && (await isRareText(world, subject, compiled)),
    domain: domain ?? null,
    only: ids ?? null,
  }
  const prepared = {
    key: keyOf(query, filters),
    version,
    typed: text ?? null,
    match,
    rowCount: entries.rowCount,
    termRows: terms.map(({ rows }) => rows),
  }
  return { version, query: prepared }
}

/** A list of ids may be long, so the key has its digest. */
function keyOf({ subject, text, domain, ids }: SearchQuery, filters: readonly TermFilter[]): string {
  const only = ids === undefined ? null : createHash('sha256').update(ids.join()).digest('base64')
  const terms = filters.map(({ field, value }) => [field, value])
  return JSON.stringify([subject, text ?? null, domain ?? null, only, terms])
}

function distinct(filters: readonly TermFilter[]): TermFilter[] {
  const folded = filters.map(({ field, value }) => ({
    field,
    value: isFolded(field) ? foldValue(value) : truncateKey(value),
  }))
  return [...new Map(folded.map(filter => [`${filter.field}\n${filter.value}`, filter])).values()]
}
