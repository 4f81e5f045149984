import { foldName, foldValue, truncateKey } from '@baize/names'
import type { SearchSubject, Term } from '../contract.ts'

export const termKeyOf = ({ field, value }: Term) => `${field}\n${value}`

export type SearchRow = {
  id: number
  ref: string
  /** 1,000 minus the completeness, so that more complete rows come first. */
  missing: number
  sortName: string
  document: string
  /** The words of the document that are compared for typing errors. */
  words: string[]
  terms: Term[]
  hit: string
  /** The JSON of `RowNames`, for highlighting. */
  names: string
  /** The JSON of the domains whose words are in the document. */
  sites: string
}

export type CompanyNames = [
  companyName: string | null,
  legalEntity: string | null,
  brands: readonly string[],
  aliases: readonly string[],
]

export type LicenseNames = [
  licenseNumber: string | null,
  companyName: string | null,
  legalEntity: string | null,
  jurisdiction: string,
  licenseType: string | null,
]

export type RowNames = CompanyNames | LicenseNames

const sortNameBytesMax = 200

export function sortNameOf(name: string): string {
  return truncateKey(foldName(name).key, sortNameBytesMax)
}

/** The fields of `facet_counts`; other fields are only filters. */
export const facetFields: Record<SearchSubject, readonly string[]> = {
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

const foldedFields: ReadonlySet<string> = new Set([
  'geo',
  'group',
  'license_type',
  'payment_method',
  'platform',
  'supplier_brand',
])

export function isFolded(field: string): boolean {
  return foldedFields.has(field)
}

/** Returns the field that is counted. Folded values are counted in their original spelling. */
export function countedField(facet: string): string {
  return isFolded(facet) ? `${facet} as spelt` : facet
}

export function isCounted(subject: SearchSubject, { field }: Term): boolean {
  return facetFields[subject].some(facet => countedField(facet) === field)
}

/** Returns the terms of a field. If a value has several spellings, the first one is counted. */
export function termsOf(subject: SearchSubject, field: string, values: readonly string[]): Term[] {
  if (!isFolded(field)) return values.map(value => ({ field, value: truncateKey(value) }))
  const spellings = new Map<string, string>()
  for (const value of values) {
    const folded = foldValue(value)
    if (folded !== '' && !spellings.has(folded)) spellings.set(folded, truncateKey(value))
  }
  const found = [...spellings.keys()].map(value => ({ field, value }))
  if (!isFacet(subject, field)) return found
  return [...found, ...[...spellings.values()].map(value => ({ field: countedField(field), value }))]
}
