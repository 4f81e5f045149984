/** One row per Company that was not merged into another, and one per license that its source lists today. */
export type SearchSubject = 'company' | 'license'

export type TermFilter = { field: string; value: string }

export type SearchQuery = {
  subject: SearchSubject
  /** As the customer typed it, trimmed. Absent: filters alone. */
  text?: string | undefined
  filters: readonly TermFilter[]
  domain?: string | undefined
  /** Only these Companies or licenses; an empty list matches nothing. Absent: all. */
  ids?: readonly number[] | undefined
}

export type SearchPosition = { after: readonly string[] } | { offset: number }

export type PageRequest = {
  position: SearchPosition
  rows: number
  /** Fields for `countFacets`: a text page counts them in the same statement. */
  facets?: readonly string[]
  /** If the page has no rows, the result is as if nothing matched (decision 10). */
  concealsEmpty?: boolean
}

/** `similar`: no row has the text, and these are similar. `filters`: no text was sent. null: no match. */
export type SearchBasis = 'text' | 'similar' | 'filters' | null

export type ResultRow = {
  id: number
  /** The stored JSON of the row (§2.6, contract section 8), without its place in this result. */
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
  /** The counts of the requested facets; null: not counted yet (`countFacets`). */
  facets: FacetCount[] | null
  version: number
}

export type FacetCount = { field: string; values: { value: string; count: number }[] }
