import { createHash } from 'node:crypto'
import { foldValue, truncateKey } from '@baize/names'
import type { World } from '../../database/open.ts'
import type { SearchQuery, Term } from './contract.ts'
import { type AtVersion, lookUpTerms, readDictionaryVersion } from './dictionary.ts'
import type { Match } from './match-store.ts'
import { isFolded, termKeyOf } from './rows/search-row.ts'
import { isRareText } from './text/common-words.ts'
import { compileText } from './text/text-query.ts'

const attemptsMax = 3

/** A result with the version that its statement reported; null if everything was cached. */
export type VersionedResult<Result> = { result: Result; version: number | null }

type SearchRun<Result> = {
  at: AtVersion
  nothing: Result
  run(query: PreparedQuery): Promise<VersionedResult<Result>>
}

/** Runs a search again, at most three times, if a writer commits between its statements. */
export async function atOneVersion<Result>(
  world: World,
  query: SearchQuery,
  { at, nothing, run }: SearchRun<Result>,
): Promise<{ result: Result; version: number }> {
  // PostgreSQL rejects text with a NUL character.
  if (query.filters.some(({ value }) => value.includes('\0')))
    return { result: nothing, version: await readDictionaryVersion(world) }
  for (let attempt = 1; ; attempt += 1) {
    const isFirst = attempt === 1
    const { version: assumed, query: prepared } = await prepareQuery(world, query, isFirst ? at : 'now')
    const { result, version: reported } =
      prepared === null ? { result: nothing, version: null } : await run(prepared)
    const isUnread = isFirst && at === 'last known'
    const version = reported ?? (isUnread ? await readDictionaryVersion(world) : assumed)
    if (version === assumed || attempt === attemptsMax) return { result, version }
  }
}

/** A query with its terms looked up, to be run at one version of the data. */
export type PreparedQuery = {
  key: string
  version: number
  typed: string | null
  match: Match
  /** The number of rows of the subject; `termRows` has the number with each term. */
  rowCount: number
  termRows: readonly number[]
}

/**
 * Looks up the terms of a query. `query` is null if no row can match: no row has a filter's value, or the
 * text has nothing to search.
 */
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
    countMax: query.countMax ?? null,
  }
  const prepared = {
    key: queryKeyOf(query, filters),
    version,
    typed: text ?? null,
    match,
    rowCount: entries.rowCount,
    termRows: terms.map(({ rows }) => rows),
  }
  return { version, query: prepared }
}

/** Returns the cache key of a query. A long list of ids is replaced by its digest. */
function queryKeyOf({ subject, text, domain, ids, countMax }: SearchQuery, filters: readonly Term[]): string {
  const only = ids === undefined ? null : createHash('sha256').update(ids.join()).digest('base64')
  const terms = filters.map(({ field, value }) => [field, value])
  return JSON.stringify([subject, text ?? null, domain ?? null, only, terms, countMax])
}

function distinct(filters: readonly Term[]): Term[] {
  const folded = filters.map(({ field, value }) => ({
    field,
    value: isFolded(field) ? foldValue(value) : truncateKey(value),
  }))
  return [...new Map(folded.map(filter => [termKeyOf(filter), filter])).values()]
}
