/**
 * How many rows a search matches, and why. A text is asked for as it is; only where no row of the whole filtered set bears it
 * is it asked what it may have meant. What was counted at a version of the data is remembered for that version, so that
 * walking through a result, or asking again, counts nothing.
 */
import { createHash } from 'node:crypto'
import { foldValue, truncateKey } from '../../core/search-text.ts'
import type { World } from '../../database/open.ts'
import type { SearchQuery, TermFilter } from './contract.ts'
import { type AtVersion, askDictionary, readVersion } from './dictionary.ts'
import { type Evaluated, recall, remember } from './result-cache.ts'
import { isFolded } from './rows/search-row.ts'
import { isBorneByFew } from './text/common-words.ts'
import { compileSimilar, vocabularyAsked, wordsOf } from './text/similar-query.ts'
import { compileText, type TextQuery } from './text/text-query.ts'
import { findWords } from './text/words-store.ts'
import { countMatch, type Match } from './text-page-store.ts'

/** A search made ready to be run at a version of the data. */
export type Asked = {
  key: string
  version: number
  /** The text as it was typed; null: none was. */
  typed: string | null
  match: Match
  /** How many rows there are, and how many hold each of the terms. */
  every: number
  termRows: readonly number[]
}

/** `asked` is null: no row can match, for one of the values is no row's, or nothing of the text can be searched. */
async function ask(
  world: World,
  what: SearchQuery,
  at: AtVersion,
): Promise<{ version: number; asked: Asked | null }> {
  const { subject, text, domain, ids } = what
  const filters = distinct(what.filters)
  const compiled = text === undefined ? null : compileText(subject, text)
  const found = await askDictionary(world, subject, filters, compiled?.marks.domain ?? null, at)
  const { version } = found
  const isNobodys =
    ids?.length === 0 || found.terms.length < filters.length || (text !== undefined && compiled === null)
  if (isNobodys) return { version, asked: null }
  const match: Match = {
    subject,
    text: compiled,
    ids: found.ids,
    terms: found.terms.map(({ id }) => id),
    isBorneByFew: compiled !== null && filters.length > 0 && (await isBorneByFew(world, subject, compiled)),
    domain: domain ?? null,
    only: ids ?? null,
  }
  const asked = {
    key: keyOf(what, filters),
    version,
    typed: text ?? null,
    match,
    every: found.every,
    termRows: found.terms.map(({ rows }) => rows),
  }
  return { version, asked }
}

/** A list of ids may be long, and is told by its digest. */
function keyOf({ subject, text, domain, ids }: SearchQuery, filters: readonly TermFilter[]): string {
  const only = ids === undefined ? null : createHash('sha256').update(ids.join()).digest('base64')
  const terms = filters.map(({ field, value }) => [field, value])
  return JSON.stringify([subject, text ?? null, domain ?? null, only, terms])
}

/** As the dictionary spells them, each once. */
function distinct(filters: readonly TermFilter[]): TermFilter[] {
  const spelt = filters.map(({ field, value }) => ({
    field,
    value: isFolded(field) ? foldValue(value) : truncateKey(value),
  }))
  return [...new Map(spelt.map(filter => [`${filter.field}\n${filter.value}`, filter])).values()]
}

/** The total that the dictionary of terms holds: of everything, or of one filter. */
function countedTotal({ match, every, termRows }: Asked): number | null {
  if (match.text !== null || match.domain !== null || match.only !== null || termRows.length > 1) return null
  return termRows[0] ?? every
}

/**
 * The match as it was settled: where nothing bears the text, of what it may have meant. A domain of theirs finds rows by the
 * text as it was typed alone.
 */
export function settledMatch({ match }: Asked, { basis, like }: Evaluated): Match {
  return basis === 'similar' && like !== null ? likeMatch(match, like) : match
}

/** What it may have meant are several words for each, of which any may be a common one. */
export const likeMatch = (match: Match, like: TextQuery) => ({
  ...match,
  text: like,
  ids: [],
  isBorneByFew: false,
})

/** Counts a search; the version may have moved meanwhile, and is told with the count. */
export async function evaluate(world: World, asked: Asked): Promise<Evaluated> {
  const known = recall(world, asked.key, asked.version)
  if (known !== undefined) return known
  const { match, version } = asked
  const total = countedTotal(asked)
  if (total !== null) return remember(world, asked.key, evaluated({ version, total }, 'filters'))
  const counted = await countMatch(world, match)
  const like = match.text === null || counted.total > 0 ? null : await compileLike(world, asked)
  if (like === null) {
    const basis = match.text === null ? 'filters' : 'text'
    return remember(world, asked.key, evaluated(counted, basis))
  }
  const alike = await countMatch(world, likeMatch(match, like))
  return remember(world, asked.key, evaluated(alike, 'similar', like))
}

export function evaluated(
  { version, total }: { version: number; total: number },
  basis: 'text' | 'similar' | 'filters',
  like: TextQuery | null = null,
): Evaluated {
  return { version, total, basis: total === 0 ? null : basis, like, facets: new Map() }
}

/** null: the text has no words that could have been meant otherwise. */
export async function compileLike(world: World, { typed, match }: Asked): Promise<TextQuery | null> {
  const words = wordsOf(typed ?? '')
  if (words.length === 0) return null
  return compileSimilar(words, await findWords(world.searches, match.subject, vocabularyAsked(words)))
}

const attemptsMax = 3

/** `version` as a statement told it; null: all was remembered. */
export type Outcome<Result> = { result: Result; version: number | null }

/**
 * Runs a search at one version of the data: where a writer commits between its statements it is run again, so that rows,
 * total and facets are of one state. A world that never rests is answered all the same.
 */
export async function atOneVersion<Result>(
  world: World,
  what: SearchQuery,
  nothing: Result,
  at: AtVersion,
  run: (asked: Asked) => Promise<Outcome<Result>>,
): Promise<{ result: Result; version: number }> {
  // PostgreSQL holds no such character, and would refuse the question.
  if (what.filters.some(({ value }) => value.includes('\0')))
    return { result: nothing, version: await readVersion(world) }
  for (let attempt = 1; ; attempt += 1) {
    const isFirst = attempt === 1
    const { version: assumed, asked } = await ask(world, what, isFirst ? at : 'now')
    const { result, version: told } = asked === null ? { result: nothing, version: null } : await run(asked)
    const isUnread = isFirst && at === 'last known'
    const version = told ?? (isUnread ? await readVersion(world) : assumed)
    if (version === assumed || attempt === attemptsMax) return { result, version }
  }
}
