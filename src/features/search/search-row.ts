import { bounded, foldName } from '../../core/search-text.ts'
import type { SearchSubject } from './contract.ts'

/** An exact condition that a row meets; the dictionary (search_terms) gives it its id. */
export type Term = { field: string; value: string }

/** What is kept of a Company or license, terms still in words. */
export type SearchRow = {
  id: number
  ref: string
  /** What is not known, in thousandths: rows that tell more come first. */
  missing: number
  sortName: string
  /** As PostgreSQL reads a tsvector. */
  document: string
  /** Words of the document that a misspelt word may have meant. */
  words: string[]
  terms: Term[]
  /** The JSON of the hit, as it is stored and sent. */
  hit: string
}

/** A cursor carries it. */
const sortNameBytesMax = 200

export function sortNameOf(name: string): string {
  return bounded(foldName(name).key, sortNameBytesMax)
}

/** Fields whose values answers count (`facet_counts`); the others are filters alone. */
const facetFields: Record<SearchSubject, readonly string[]> = {
  company: [
    'role',
    'jurisdiction',
    'license_status',
    'payment_category',
    'has_platform',
    'affiliate_program',
    'geo',
  ],
  license: ['jurisdiction', 'license_status', 'license_type'],
}

export function isFacet(subject: SearchSubject, field: string): boolean {
  return facetFields[subject].includes(field)
}

/** Fields whose values are matched regardless of case and accents. */
const foldedFields: ReadonlySet<string> = new Set(['payment_method', 'supplier_brand', 'platform'])

export function isFolded(field: string): boolean {
  return foldedFields.has(field)
}
