import { Failure } from '../../core/failure.ts'
import type { SearchPosition, SearchQuery, SearchResult } from './contract.ts'
import type { PreparedQuery } from './prepare-query.ts'

/** Where a page starts, and how many rows precede it: cursors carry that number as their last part. */
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

/** A signed cursor of the other kind of search (with text, without) is 400. */
export function startOf({ text }: SearchQuery, position: SearchPosition): PageStart {
  if ('offset' in position) return { position, rowsBefore: position.offset }
  const { after } = position
  const rowsBefore = Number(after.at(-1))
  if (after.length !== (text === undefined ? filterParts : textParts) || !Number.isSafeInteger(rowsBefore))
    throw new Failure('invalid_cursor', { details: { parameter: 'after' } })
  return { position, rowsBefore }
}
