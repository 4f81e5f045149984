import {
  foldNumber,
  foldNumberWithoutVersion,
  foldSearchText,
  markets,
  versionedJurisdiction,
} from '@baize/names'
import type { Term } from '../contract.ts'
import { numberSign, SearchDocument, versionlessSign } from './document.ts'
import type { LicenseFacts } from './license-facts-store.ts'
import { type LicenseNames, type SearchRow, sortNameOf, termsOf } from './search-row.ts'

/** The weight of each field in the completeness of a license, in thousandths. */
const weights = {
  license_number: 250,
  company_ref: 250,
  license_type: 150,
  status: 150,
  issued_at: 100,
  expires_at: 100,
}

export function licenseRow(facts: LicenseFacts): SearchRow {
  const document = licenseDocument(facts)
  const { license_number, company_name, legal_entity, jurisdiction, license_type } = facts
  const names: LicenseNames = [license_number, company_name, legal_entity, jurisdiction, license_type]
  let missing = 0
  for (const [field, weight] of Object.entries(weights))
    if (facts[field as keyof typeof weights] === null) missing += weight
  return {
    id: facts.id,
    ref: facts.license_ref,
    missing,
    sortName: sortNameOf(company_name ?? ''),
    document: document.toString(),
    words: document.words,
    terms: licenseTerms(facts),
    hit: JSON.stringify(licenseHit(facts)),
    names: JSON.stringify(names),
    sites: '[]',
  }
}

const marketNames = new Map(markets.map(({ code, name }) => [code, name]))

function licenseDocument(facts: LicenseFacts): SearchDocument {
  const { license_number: number, jurisdiction, license_type: type } = facts
  const document = new SearchDocument()
  if (number !== null) addNumber(document, number, jurisdiction)
  for (const name of [facts.company_name, facts.legal_entity]) if (name !== null) document.addName(name, 'B')
  for (const names of [facts.brands, facts.aliases]) document.addNames(names, 'C')
  if (type !== null) document.addWords(foldSearchText(type), 'C')
  document.addWords(jurisdictionWords(jurisdiction), 'D')
  return document
}

export function jurisdictionWords(jurisdiction: string): string[] {
  return [...foldSearchText(jurisdiction), ...foldSearchText(marketNames.get(jurisdiction) ?? '')]
}

function addNumber(document: SearchDocument, number: string, jurisdiction: string): void {
  const whole = foldNumber(number)
  if (whole === '') return
  document.addExactWords(foldSearchText(number), 'A')
  document.addWhole(numberSign, whole, 'A')
  if (jurisdiction !== versionedJurisdiction) return
  document.addWhole(versionlessSign, foldNumberWithoutVersion(number) ?? whole, 'A')
}

function licenseTerms({ jurisdiction, status, license_type: type }: LicenseFacts): Term[] {
  const values = { jurisdiction, license_status: status, license_type: type }
  return Object.entries(values).flatMap(([field, value]) =>
    termsOf('license', field, value === null ? [] : [value]),
  )
}

/** Writes the row of a license (contract section 8) without the members that depend on the query. */
function licenseHit(facts: LicenseFacts) {
  const { license_ref, company_ref, company_name, jurisdiction, license_number, license_type } = facts
  const { status, issued_at, expires_at, authorized_domain_count } = facts
  return {
    license_ref,
    company_ref,
    company_name,
    jurisdiction,
    license_number,
    license_type,
    status,
    issued_at,
    expires_at,
    authorized_domain_count,
  }
}
