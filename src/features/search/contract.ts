/** The kind of row: a Company that was not merged into another, or a license that its source lists today. */
export type SearchSubject = 'company' | 'license'

/** A value of a filter field, whose id is in the dictionary (`search_terms`). */
export type Term = { field: string; value: string }

export type SearchQuery = {
  subject: SearchSubject
  /** The text as the customer typed it, trimmed; absent for a search by filters alone. */
  text?: string | undefined
  filters: readonly Term[]
  domain?: string | undefined
  /** Limits the result to these Companies or licenses; an empty list matches nothing. */
  ids?: readonly number[] | undefined
  /** Stops a text search after this many matches, besides those of a whole name; absent: all are counted. */
  countMax?: number
}

export type SearchPosition = { after: readonly string[] } | { offset: number }

export type PageRequest = {
  position: SearchPosition
  rows: number
  /** The facet fields to count. A page with a text counts them in its own statement. */
  facets?: readonly string[]
  /** Lets a page without rows look as if nothing matched (decision 10). */
  concealsEmpty?: boolean
}

/**
 * The basis of the result: the text, `similar` text if no row has the text, or filters without a text. Is
 * null if nothing matches.
 */
export type SearchBasis = 'text' | 'similar' | 'filters' | null

export type ResultRow = {
  id: number
  /** The stored JSON of the row (§2.6, contract section 8), without its rank and matches. */
  hit: string
  rank: number
  score: number | null
  /** The fields that match the text; `highlight` has the HTML of each, with `<em>` around the matches. */
  matchedFields: string[]
  highlight: Record<string, string>
}

export type SearchResult = {
  total: number
  basis: SearchBasis
  rows: ResultRow[]
  next: readonly string[] | null
  /** The counts of the requested facets; null if `countFacets` must count them. */
  facets: FacetCount[] | null
  version: number
}

export type FacetCount = { field: string; values: { value: string; count: number }[] }
