/** What is searched: one row per Company that answers for itself, one per license that a source has today. */
export type SearchSubject = 'company' | 'license'

/** An exact condition: the row's set `field` holds `value`. Values that no row has match nothing. */
export type TermFilter = { field: string; value: string }

export type SearchQuery = {
  subject: SearchSubject
  /** As the customer typed it, trimmed. Absent: filters alone. */
  text?: string | undefined
  filters: readonly TermFilter[]
  /** Only the rows that belong to this canonical registrable domain. */
  domain?: string | undefined
  /** Only these Companies or licenses, by their ids; an empty list matches nothing. Absent: all. */
  ids?: readonly number[] | undefined
}

/** Where a page starts: behind the row of a cursor (`next` of the page before), or so many rows from the first. */
export type SearchPosition = { after: readonly string[] } | { offset: number }

/**
 * Why the rows are here: they bear the text (`text`), nothing does and these are like it (`similar`), or no text was asked
 * for (`filters`). null: nothing matches.
 */
export type SearchBasis = 'text' | 'similar' | 'filters' | null

export type ResultRow = {
  /** Of the Company or license; never sent. */
  id: number
  /** The JSON of what a row shows (§2.6, contract section 8) but for its place in this answer, as it is stored. */
  hit: string
  /** From 1, counted on across pages. */
  rank: number
  /** 0 to 1; null without text. */
  score: number | null
  /** The fields that bear the text, and their text with `<em>`, everything else HTML-escaped. */
  matchedFields: string[]
  highlight: Record<string, string>
}

export type SearchResult = {
  total: number
  basis: SearchBasis
  rows: ResultRow[]
  /** The position behind the last row; null at the end. */
  next: readonly string[] | null
  /** The counts that were asked for along with the page; null: they are not known yet (`facetCounts`). */
  facets: FacetCount[] | null
  /** The version of the data that was searched: what else a request tells of the same search is asked at it. */
  version: number
}

export type FacetCount = { field: string; values: { value: string; count: number }[] }
