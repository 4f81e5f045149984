import { Failure } from '../../core/failure.ts'
import type { PreparedQuery } from './at-one-version.ts'
import type { SearchPosition, SearchQuery, SearchResult } from './contract.ts'

/** The start of a page, and the number of rows before it, which is the last part of a cursor. */
export type PageStart = { position: SearchPosition; rowsBefore: number }

export type PageOfRows = Omit<SearchResult, 'version'>

export type PageContext = {
  query: SearchQuery
  prepared: PreparedQuery
  start: PageStart
  limit: number
  facets: readonly string[]
}

export const nothing: PageOfRows = { total: 0, basis: null, rows: [], next: null, facets: null }

const textParts = 5
const filterParts = 4

/** Reads the start of a page. A cursor of a search with a text is a 400 in one without, and the reverse. */
export function startOf({ text }: SearchQuery, position: SearchPosition): PageStart {
  if ('offset' in position) return { position, rowsBefore: position.offset }
  const { after } = position
  const rowsBefore = Number(after.at(-1))
  if (after.length !== (text === undefined ? filterParts : textParts) || !Number.isSafeInteger(rowsBefore))
    throw new Failure('invalid_cursor', { details: { parameter: 'after' } })
  return { position, rowsBefore }
}
